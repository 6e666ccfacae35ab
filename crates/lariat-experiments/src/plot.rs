//! A plot as SVG: one quantity over another, the paper beside the measurement.
//!
//! A panel for each table, a colour for each block of rows. The paper's points are hollow and joined by broken lines,
//! the measured ones filled and joined by solid lines.

use lariat_report::plot::{Anchor, COLOURS, Drawing, Scale, Stroke};

use super::quantity::Bound;
use super::{Experiment, Measured, Plot};

/// The drawing area of a panel, and its margins.
const WIDTH: f64 = 330.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 62.0;
const TOP: f64 = 58.0;
const GAP: f64 = 66.0;
const BELOW: f64 = 78.0;
/// A line of the legend.
const LINE: f64 = 18.0;
/// Of texts, and of the markers of points.
const SIZE: u32 = 12;
const RADIUS: f64 = 4.0;

/// A point, its label, and whether the true value is further to the right.
struct Point {
    x: f64,
    y: f64,
    label: String,
    beyond: bool,
}

/// The points of a block of rows in one table.
struct Series {
    block: &'static str,
    is_paper: bool,
    points: Vec<Point>,
}

/// A table.
struct Panel {
    title: String,
    series: Vec<Series>,
}

/// The plot of an experiment, if it has one and there are points.
pub(super) fn svg(experiment: &Experiment, all: &[Measured]) -> Option<String> {
    let plot = experiment.plot?;
    let panels: Vec<Panel> = all.iter().filter_map(|m| panel(plot, m)).collect();
    let ranges = Ranges::of(&panels)?;
    let mut blocks: Vec<&str> = Vec::new();
    for series in panels.iter().flat_map(|p| &p.series) {
        if !blocks.contains(&series.block) {
            blocks.push(series.block);
        }
    }
    let width = LEFT + panels.len() as f64 * (WIDTH + GAP);
    let legend = TOP + HEIGHT + BELOW;
    let height = legend + (blocks.len() + 1) as f64 * LINE + 10.0;
    let mut out = Drawing::new(width, height);
    out.text((LEFT, 22.0), 15, Anchor::Start, experiment.title);
    let with_paper = |block: &str| {
        let mut series = panels.iter().flat_map(|p| &p.series);
        series.any(|s| s.is_paper && s.block == block)
    };
    let any_paper = blocks.iter().any(|block| with_paper(block));
    for (index, panel) in panels.iter().enumerate() {
        let left = LEFT + index as f64 * (WIDTH + GAP);
        let axes = Axes::new(&ranges, left);
        axes.draw(&mut out, plot, &panel.title, index == 0);
        for series in &panel.series {
            let place = blocks.iter().position(|b| *b == series.block).unwrap_or(0);
            // Rows without numbers in the paper are drawn in the background.
            let details = with_paper(series.block) || !any_paper;
            axes.series(&mut out, series, place, details);
        }
    }
    for (index, block) in blocks.iter().enumerate() {
        let y = legend + index as f64 * LINE;
        let colour = COLOURS[index % COLOURS.len()];
        out.marker((LEFT + 6.0, y - 4.0), RADIUS, colour, false);
        out.text((LEFT + 18.0, y), SIZE, Anchor::Start, block);
    }
    let y = legend + blocks.len() as f64 * LINE;
    let note =
        "hollow, broken lines: the paper; filled, solid lines: measured here; >: stopped, at least";
    out.text((LEFT, y), SIZE, Anchor::Start, note);
    Some(out.finish())
}

fn panel(plot: Plot, measured: &Measured) -> Option<Panel> {
    let table = measured.table;
    let column = |q| table.columns.iter().position(|c| *c == q);
    let (x, y) = (column(plot.x)?, column(plot.y)?);
    let mut series: Vec<Series> = Vec::new();
    let mut add = |block, is_paper, point: Point| {
        if !(point.x > 0.0 && point.x.is_finite() && point.y.is_finite()) {
            return;
        }
        let same = |s: &&mut Series| s.block == block && s.is_paper == is_paper;
        match series.iter_mut().find(same) {
            Some(series) => series.points.push(point),
            None => series.push(Series {
                block,
                is_paper,
                points: vec![point],
            }),
        }
    };
    for (index, row) in table.rows.iter().enumerate().filter(|(_, r)| !r.is_base) {
        let paper = |c: usize| row.paper.get(c).copied().flatten();
        let label = row.label.clone();
        if let (Some(x), Some(y)) = (paper(x), paper(y)) {
            let beyond = false;
            let label = label.clone();
            add(
                row.block,
                true,
                Point {
                    x,
                    y,
                    label,
                    beyond,
                },
            );
        }
        let cells = (measured.cell(index, plot.x), measured.cell(index, plot.y));
        // A row without a finished search has no point.
        let is_finished = measured.samples[index].iter().any(|s| !s.ending.is_cut());
        if let (Some(x), Some(y), true) = (cells.0, cells.1, is_finished) {
            let beyond = x.bound != Bound::Exact;
            let (x, y) = (x.mean, y.mean);
            add(
                row.block,
                false,
                Point {
                    x,
                    y,
                    label,
                    beyond,
                },
            );
        }
    }
    (!series.is_empty()).then(|| Panel {
        title: format!("{}: {}", table.place, table.title),
        series,
    })
}

/// The values of all points: x between powers of ten, y from 0.
struct Ranges {
    decades: (i32, i32),
    top: f64,
}

impl Ranges {
    /// Ranges that contain all points.
    fn of(panels: &[Panel]) -> Option<Self> {
        let points = || {
            panels
                .iter()
                .flat_map(|p| &p.series)
                .flat_map(|s| &s.points)
        };
        let low = points().map(|p| p.x).min_by(f64::total_cmp)?;
        let high = points().map(|p| p.x).max_by(f64::total_cmp)?;
        let top = points().map(|p| p.y).max_by(f64::total_cmp)?;
        let first = low.log10().floor() as i32;
        let last = (high.log10().ceil() as i32).max(first + 1);
        Some(Ranges {
            decades: (first, last),
            top: ((top * 10.0).ceil() / 10.0).max(0.1),
        })
    }
}

/// The axes of a panel.
struct Axes<'a> {
    ranges: &'a Ranges,
    left: f64,
    x: Scale,
    y: Scale,
}

impl<'a> Axes<'a> {
    fn new(ranges: &'a Ranges, left: f64) -> Self {
        let (first, last) = ranges.decades;
        Axes {
            ranges,
            left,
            x: Scale::logarithmic(10f64.powi(first)..10f64.powi(last), left..left + WIDTH),
            y: Scale::linear(0.0..ranges.top, TOP + HEIGHT..TOP),
        }
    }

    fn draw(&self, out: &mut Drawing, plot: Plot, title: &str, first: bool) {
        let (left, right, bottom) = (self.left, self.left + WIDTH, TOP + HEIGHT);
        out.text((left, TOP - 10.0), SIZE, Anchor::Start, &shortened(title));
        let (grid, axis) = (Stroke::new("#ddd"), Stroke::new("#000"));
        for decade in self.ranges.decades.0..=self.ranges.decades.1 {
            let value = 10f64.powi(decade);
            let x = self.x.place(value);
            out.line((x, TOP), (x, bottom), grid);
            out.text(
                (x, bottom + 17.0),
                SIZE,
                Anchor::Middle,
                &format!("{value}"),
            );
        }
        for step in 0..=5 {
            let value = self.ranges.top * f64::from(step) / 5.0;
            let y = self.y.place(value);
            out.line((left, y), (right, y), grid);
            out.text(
                (left - 6.0, y + 4.0),
                SIZE,
                Anchor::End,
                &plot.y.format(value),
            );
        }
        out.line((left, bottom), (right, bottom), axis);
        out.line((left, TOP), (left, bottom), axis);
        if first {
            let captions = [("to the right", plot.x), ("upwards", plot.y)];
            for ((direction, quantity), y) in captions.into_iter().zip([36.0, 52.0]) {
                let caption = format!("{direction}: {}", quantity.axis());
                out.text((left, bottom + y), SIZE, Anchor::Start, &caption);
            }
        }
    }

    /// Draws the series with index `place`; with `details`, lines and labels, too.
    fn series(&self, out: &mut Drawing, series: &Series, place: usize, details: bool) {
        let colour = COLOURS[place % COLOURS.len()];
        let at = |p: &Point| (self.x.place(p.x), self.y.place(p.y));
        if details {
            let places: Vec<_> = series.points.iter().map(at).collect();
            out.polyline(&places, Stroke::new(colour).dashed(series.is_paper));
        }
        for point in &series.points {
            let (x, y) = at(point);
            out.marker((x, y), RADIUS, colour, series.is_paper);
            if details && !series.is_paper {
                let sign = if point.beyond { " >" } else { "" };
                let label = format!("{}{sign}", number_in(&point.label));
                match place % 2 {
                    0 => out.text((x + 6.0, y + 14.0), 10, Anchor::Start, &label),
                    _ => out.text((x - 6.0, y - 6.0), 10, Anchor::End, &label),
                }
            }
        }
    }
}

/// A title that fits above a panel.
fn shortened(title: &str) -> String {
    const MOST: usize = 54;
    match title.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &title[..end]),
        None => title.into(),
    }
}

/// The last word of a label, which distinguishes it from its neighbours.
fn number_in(label: &str) -> &str {
    label.rsplit(' ').next().unwrap_or(label)
}

#[cfg(test)]
mod tests {
    use super::super::{Ending, Sample, all};
    use super::*;

    fn sample(ending: Ending, peak: u64, transitions: u64) -> Sample {
        Sample {
            ending,
            runs: 1,
            states: peak,
            peak,
            transitions,
            expansions: peak,
            memory: 0,
            seconds: 0.0,
            walked: None,
            cpu: None,
        }
    }

    #[test]
    fn every_point_is_inside() {
        let experiment = &all(false)[0];
        let table = &experiment.tables[0];
        let count = table.rows.len() as u64;
        let mut samples: Vec<_> = (0..count)
            .map(|n| vec![sample(Ending::Holds, 2000 - 50 * n, 3000 << (n % 12))])
            .collect();
        // If one of several was stopped, the point has a mark; if all were, there is no point.
        samples[3].push(sample(Ending::Time, 900, 9000));
        samples[4][0].ending = Ending::Time;
        let measured = [Measured { table, samples }];
        let svg = svg(experiment, &measured).unwrap();
        assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
        assert!(svg.contains("stroke-dasharray") && svg.contains("&gt;</text>"));
        let circles: Vec<(f64, f64)> = svg
            .lines()
            .filter(|l| l.starts_with("<circle"))
            .map(|l| {
                let part = |name: &str| {
                    let rest = l.split_once(&format!("{name}=\"")).unwrap().1;
                    rest.split('"').next().unwrap().parse::<f64>().unwrap()
                };
                (part("cx"), part("cy"))
            })
            .collect();
        assert!(circles.len() > 12);
        let inside = |(x, y): &(f64, f64)| (LEFT..=LEFT + WIDTH).contains(x) && *y >= TOP;
        assert!(circles.iter().all(inside), "{circles:?}");
    }

    #[test]
    fn a_plot_without_points_is_not_drawn() {
        let experiment = &all(false)[0];
        assert_eq!(svg(experiment, &[]), None);
    }
}
