//! The plot of the first part: a small panel for each model.

use super::sweep::{LONGEST, Swept};
use lariat_report::plot::{Anchor, COLOURS, Drawing, Place, Scale, Stroke};

// Sizes in pixels: a panel, its frame inside, and panels in a row.
const PANEL: (f64, f64) = (230.0, 190.0);
const FRAME: (f64, f64, f64, f64) = (36.0, 26.0, 182.0, 120.0);
const ROW: usize = 5;
const LEGEND: f64 = 34.0;
const SIZE: u32 = 10;
const AUTO: &str = COLOURS[0];
const FIXED: &str = COLOURS[1];
const LIMIT: &str = "#888";
const STACK: &str = "#bbb";

/// The plot as SVG.
pub fn svg(all: &[Swept]) -> String {
    let rows = all.len().div_ceil(ROW).max(1);
    let columns = all.len().clamp(1, ROW);
    let (width, height) = (PANEL.0 * columns as f64, PANEL.1 * rows as f64 + LEGEND);
    let mut out = Drawing::new(width, height);
    for (place, swept) in all.iter().enumerate() {
        let x = PANEL.0 * (place % ROW) as f64;
        let y = PANEL.1 * (place / ROW) as f64;
        Panel::at((x, y)).draw(&mut out, swept);
    }
    legend(&mut out, height - LEGEND / 2.0);
    out.finish()
}

fn legend(out: &mut Drawing, y: f64) {
    for (x, colour, dashed, what) in [
        (36.0, AUTO, false, "sample:auto"),
        (136.0, FIXED, false, "best fixed probability"),
        (286.0, LIMIT, true, "1 - 1/k"),
        (376.0, STACK, false, "stack"),
    ] {
        let stroke = Stroke::new(colour).width(2.0).dashed(dashed);
        out.line((x, y), (x + 24.0, y), stroke);
        out.text((x + 30.0, y + 4.0), SIZE, Anchor::Start, what);
    }
    let note = "x: states in the table / states; y: visits a state; ring: not ended";
    out.text((450.0, y + 4.0), SIZE, Anchor::Start, note);
}

/// The frame of a panel, with a part of the states across and visits, in logarithms, upwards.
struct Panel {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    across: Scale,
    up: Scale,
}

impl Panel {
    fn at((x, y): Place) -> Self {
        let (left, top) = (x + FRAME.0, y + FRAME.1);
        let (right, bottom) = (left + FRAME.2, top + FRAME.3);
        Panel {
            left,
            right,
            top,
            bottom,
            across: Scale::linear(0.0..1.0, left..right),
            up: Scale::logarithmic(1.0..LONGEST, bottom..top),
        }
    }

    fn draw(&self, out: &mut Drawing, swept: &Swept) {
        let plain = &swept.plain;
        let states = plain.states() as f64;
        let title = format!("{} (k = {:.2})", swept.subject.name, plain.visitation);
        self.frame(out, &title);
        self.mark(out, plain.limit(), Stroke::new(LIMIT).dashed(true));
        let stack = plain.outcome.depth as f64 / states;
        self.mark(out, stack, Stroke::new(STACK).width(2.0));
        let points = || swept.points.iter();
        let part = |bound: u64| bound as f64 / states;
        let fixed = points().map(|point| (part(point.bound), point.fixed_work(plain)));
        self.line(out, FIXED, fixed);
        let auto = points().map(|point| (part(point.bound), point.auto_work(plain)));
        self.line(out, AUTO, auto.clone());
        for (part, _) in auto.filter(|(_, work)| work.is_none()) {
            out.marker((self.across.place(part), self.top), 3.2, AUTO, true);
        }
    }

    fn frame(&self, out: &mut Drawing, title: &str) {
        let (left, right, top, bottom) = (self.left, self.right, self.top, self.bottom);
        out.text((left, top - 8.0), SIZE, Anchor::Start, title);
        for visits in [1.0, 2.0, 5.0, 10.0, 20.0] {
            let y = self.up.place(visits);
            out.line((left, y), (right, y), Stroke::new("#eee"));
            let label = visits.to_string();
            out.text((left - 4.0, y + 3.0), SIZE, Anchor::End, &label);
        }
        for part in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let place = (self.across.place(part), bottom + 13.0);
            out.text(place, SIZE, Anchor::Middle, &part.to_string());
        }
        let corners = [
            (left, top),
            (right, top),
            (right, bottom),
            (left, bottom),
            (left, top),
        ];
        out.polyline(&corners, Stroke::new("#444"));
    }

    /// A part of the states, as a line from top to bottom.
    fn mark(&self, out: &mut Drawing, part: f64, stroke: Stroke<'_>) {
        let x = self.across.place(part);
        out.line((x, self.top), (x, self.bottom), stroke);
    }

    /// A line through the existing points.
    fn line(
        &self,
        out: &mut Drawing,
        colour: &str,
        points: impl Iterator<Item = (f64, Option<f64>)>,
    ) {
        let place = |(part, visits)| Some((self.across.place(part), self.up.place(visits?)));
        let places: Vec<Place> = points.filter_map(place).collect();
        out.polyline(&places, Stroke::new(colour).width(1.5));
        for place in places {
            out.marker(place, 2.2, colour, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_skip_missing_points() {
        let mut out = Drawing::new(100.0, 100.0);
        let points = [(0.5, Some(2.0)), (0.4, None)].into_iter();
        Panel::at((0.0, 0.0)).line(&mut out, AUTO, points);
        assert_eq!(out.finish().matches("<circle").count(), 1);
        assert!(svg(&[]).ends_with("</svg>\n"));
    }
}
