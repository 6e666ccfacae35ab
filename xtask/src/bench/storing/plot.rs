//! The picture of the first part: a small panel for each model.

use super::sweep::{LONGEST, Swept};
use std::fmt::Write as _;

// Sizes in pixels: a panel, its frame inside, and panels in a row.
const PANEL: (f64, f64) = (230.0, 190.0);
const FRAME: (f64, f64, f64, f64) = (36.0, 26.0, 182.0, 120.0);
const ROW: usize = 5;
const LEGEND: f64 = 34.0;
/// Colours that can be told apart by everybody.
const AUTO: &str = "#0072b2";
const FIXED: &str = "#d55e00";

/// The picture as SVG.
pub fn svg(all: &[Swept]) -> String {
    let rows = all.len().div_ceil(ROW).max(1);
    let columns = all.len().clamp(1, ROW);
    let (width, height) = (PANEL.0 * columns as f64, PANEL.1 * rows as f64 + LEGEND);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (place, swept) in all.iter().enumerate() {
        let x = PANEL.0 * (place % ROW) as f64;
        let y = PANEL.1 * (place / ROW) as f64;
        let _ = writeln!(text, "<g transform=\"translate({x},{y})\">");
        text += &panel(swept);
        text += "</g>\n";
    }
    let y = height - LEGEND / 2.0;
    text += &legend(y);
    text + "</svg>\n"
}

fn legend(y: f64) -> String {
    let mut text = String::new();
    let mut entry = |x: f64, colour: &str, dashes: &str, what: &str| {
        let (end, label, base) = (x + 24.0, x + 30.0, y + 4.0);
        let _ = writeln!(
            text,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{end}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <text x=\"{label}\" y=\"{base}\">{what}</text>"
        );
    };
    entry(36.0, AUTO, "", "sample:auto");
    entry(136.0, FIXED, "", "best fixed probability");
    entry(286.0, "#888", " stroke-dasharray=\"3 3\"", "1 - 1/k");
    entry(376.0, "#bbb", "", "stack");
    let _ = writeln!(
        text,
        "<text x=\"450\" y=\"{}\">x: states in the table / states; y: visits a state; ring: not ended</text>",
        y + 4.0
    );
    text
}

/// Where a part of the states is.
fn across(part: f64) -> f64 {
    FRAME.0 + FRAME.2 * part.clamp(0.0, 1.0)
}

/// Where a number of visits is, in logarithms.
fn up(visits: f64) -> f64 {
    let part = visits.clamp(1.0, LONGEST).ln() / LONGEST.ln();
    FRAME.1 + FRAME.3 * (1.0 - part)
}

fn panel(swept: &Swept) -> String {
    let (left, top, width, height) = FRAME;
    let (bottom, right) = (top + height, left + width);
    let plain = &swept.plain;
    let states = plain.states() as f64;
    let mut text = format!(
        "<text x=\"{left}\" y=\"{}\">{} (k = {:.2})</text>\n\
         <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#444\"/>\n",
        top - 8.0,
        escaped(swept.subject.name),
        plain.visitation
    );
    for visits in [1.0, 2.0, 5.0, 10.0, 20.0] {
        let y = up(visits);
        let _ = writeln!(
            text,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#eee\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{visits}</text>",
            left - 4.0,
            y + 3.0
        );
    }
    for part in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = across(part);
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{part}</text>",
            bottom + 13.0
        );
    }
    let mut mark = |part: f64, style: &str| {
        let x = across(part);
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{bottom}\" {style}/>"
        );
    };
    mark(plain.limit(), "stroke=\"#888\" stroke-dasharray=\"3 3\"");
    mark(
        plain.outcome.depth as f64 / states,
        "stroke=\"#bbb\" stroke-width=\"2\"",
    );
    let part = |bound: u64| bound as f64 / states;
    let fixed = swept
        .points
        .iter()
        .map(|point| (part(point.bound), point.fixed_work(plain)));
    text += &line(FIXED, fixed);
    let auto = swept
        .points
        .iter()
        .map(|point| (part(point.bound), point.auto_work(plain)));
    text += &line(AUTO, auto.clone());
    for (part, _) in auto.filter(|(_, work)| work.is_none()) {
        text += &unfinished(part);
    }
    text
}

/// A search that did not end: a ring at the top.
fn unfinished(part: f64) -> String {
    let (x, y) = (across(part), up(LONGEST));
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"white\" stroke=\"{AUTO}\" stroke-width=\"1.5\"/>\n"
    )
}

/// A line through the points that there are.
fn line(colour: &str, points: impl Iterator<Item = (f64, Option<f64>)>) -> String {
    let places: Vec<(f64, f64)> = points
        .filter_map(|(part, visits)| Some((across(part), up(visits?))))
        .collect();
    let mut text = String::new();
    let path: Vec<String> = places
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
        path.join(" ")
    );
    for (x, y) in places {
        let _ = writeln!(
            text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.2\" fill=\"{colour}\"/>"
        );
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        assert_eq!((across(0.0), across(1.0)), (36.0, 218.0));
        assert_eq!((up(1.0), up(LONGEST), up(1e9)), (146.0, 26.0, 26.0));
        assert!(up(2.0) < up(1.0));
    }

    #[test]
    fn lines_leave_out_what_is_not_there() {
        let text = line(AUTO, [(0.5, Some(2.0)), (0.4, None)].into_iter());
        assert_eq!(text.matches("<circle").count(), 1);
        assert!(unfinished(1.0).contains("cx=\"218.0\" cy=\"26.0\""));
        assert!(svg(&[]).ends_with("</svg>\n"));
    }
}
