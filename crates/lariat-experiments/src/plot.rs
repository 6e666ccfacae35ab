//! A plot as SVG: one quantity over another, the paper beside the measurement.
//!
//! A panel for each table, a colour for each block of rows. The paper's points are hollow and joined
//! by broken lines, those measured here filled and joined by solid ones.

use std::fmt::Write;

use super::quantity::Bound;
use super::{Experiment, Measured, Plot};

const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];
/// The drawing area of a panel, and the room around it.
const WIDTH: f64 = 330.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 62.0;
const TOP: f64 = 58.0;
const GAP: f64 = 66.0;
const BELOW: f64 = 78.0;
/// A line of the legend.
const LINE: f64 = 18.0;

/// A point, what it is called, and whether the truth lies further to the right.
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

/// The plot of an experiment, if it has one and there is something to see.
pub(super) fn svg(experiment: &Experiment, all: &[Measured]) -> Option<String> {
    let plot = experiment.plot?;
    let panels: Vec<Panel> = all.iter().filter_map(|m| panel(plot, m)).collect();
    let scale = Scale::of(&panels)?;
    let mut blocks: Vec<&str> = Vec::new();
    for series in panels.iter().flat_map(|p| &p.series) {
        if !blocks.contains(&series.block) {
            blocks.push(series.block);
        }
    }
    let width = LEFT + panels.len() as f64 * (WIDTH + GAP);
    let legend = TOP + HEIGHT + BELOW;
    let height = legend + (blocks.len() + 1) as f64 * LINE + 10.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    text_of_size(&mut out, LEFT, 22.0, 15, "start", experiment.title);
    let with_paper = |block: &str| {
        let mut series = panels.iter().flat_map(|p| &p.series);
        series.any(|s| s.is_paper && s.block == block)
    };
    let any_paper = blocks.iter().any(|block| with_paper(block));
    for (index, panel) in panels.iter().enumerate() {
        let left = LEFT + index as f64 * (WIDTH + GAP);
        axes(&mut out, plot, left, &scale, &panel.title, index == 0);
        for series in &panel.series {
            let place = blocks.iter().position(|b| *b == series.block).unwrap_or(0);
            // What the paper does not have is there to be seen, but not in the way.
            let details = with_paper(series.block) || !any_paper;
            draw(&mut out, left, &scale, series, place, details);
        }
    }
    for (index, block) in blocks.iter().enumerate() {
        let y = legend + index as f64 * LINE;
        let colour = COLOURS[index % COLOURS.len()];
        marker(&mut out, LEFT + 6.0, y - 4.0, colour, false);
        text(&mut out, LEFT + 18.0, y, "start", block);
    }
    let y = legend + blocks.len() as f64 * LINE;
    let note =
        "hollow, broken lines: the paper; filled, solid lines: measured here; >: stopped, at least";
    text(&mut out, LEFT, y, "start", note);
    out.push_str("</svg>\n");
    Some(out)
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
        // What was never finished has no place here.
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
        title: format!("Table {}: {}", table.number, table.title),
        series,
    })
}

/// From values to places: x logarithmic in powers of ten, y from 0.
struct Scale {
    decades: (i32, i32),
    top: f64,
}

impl Scale {
    /// A scale on which all points have a place.
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
        Some(Scale {
            decades: (first, last),
            top: ((top * 10.0).ceil() / 10.0).max(0.1),
        })
    }

    fn x(&self, left: f64, value: f64) -> f64 {
        let (first, last) = (f64::from(self.decades.0), f64::from(self.decades.1));
        left + WIDTH * (value.log10() - first) / (last - first)
    }

    fn y(&self, value: f64) -> f64 {
        TOP + HEIGHT * (1.0 - value.clamp(0.0, self.top) / self.top)
    }
}

fn axes(out: &mut String, plot: Plot, left: f64, scale: &Scale, title: &str, first: bool) {
    let bottom = TOP + HEIGHT;
    text(out, left, TOP - 10.0, "start", &shortened(title));
    for decade in scale.decades.0..=scale.decades.1 {
        let value = 10f64.powi(decade);
        let x = scale.x(left, value);
        line(out, (x, TOP), (x, bottom), "#ddd");
        text(out, x, bottom + 17.0, "middle", &format!("{value}"));
    }
    for step in 0..=5 {
        let value = scale.top * f64::from(step) / 5.0;
        let y = scale.y(value);
        line(out, (left, y), (left + WIDTH, y), "#ddd");
        text(out, left - 6.0, y + 4.0, "end", &plot.y.format(value));
    }
    line(out, (left, bottom), (left + WIDTH, bottom), "#000");
    line(out, (left, TOP), (left, bottom), "#000");
    if first {
        let captions = [("to the right", plot.x), ("upwards", plot.y)];
        for ((direction, quantity), y) in captions.into_iter().zip([36.0, 52.0]) {
            let caption = format!("{direction}: {}", quantity.axis());
            text(out, left, bottom + y, "start", &caption);
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

/// Draws a series, the `place`th of the plot; with `details`, lines and labels, too.
fn draw(out: &mut String, left: f64, scale: &Scale, series: &Series, place: usize, details: bool) {
    let colour = COLOURS[place % COLOURS.len()];
    let at = |p: &Point| (scale.x(left, p.x), scale.y(p.y));
    if details {
        let path: Vec<String> = (series.points.iter().map(at))
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let dashes = match series.is_paper {
            true => " stroke-dasharray=\"5 4\"",
            false => "",
        };
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\"{dashes}/>",
            path.join(" ")
        );
    }
    for point in &series.points {
        let (x, y) = at(point);
        marker(out, x, y, colour, series.is_paper);
        if details && !series.is_paper {
            let sign = if point.beyond { " >" } else { "" };
            let label = format!("{}{sign}", number_in(&point.label));
            match place % 2 {
                0 => text_of_size(out, x + 6.0, y + 14.0, 10, "start", &label),
                _ => text_of_size(out, x - 6.0, y - 6.0, 10, "end", &label),
            }
        }
    }
}

/// The last word of a label: what makes it different from its neighbours.
fn number_in(label: &str) -> &str {
    label.rsplit(' ').next().unwrap_or(label)
}

fn marker(out: &mut String, x: f64, y: f64, colour: &str, hollow: bool) {
    let fill = if hollow { "white" } else { colour };
    let _ = writeln!(
        out,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{colour}\"/>"
    );
}

fn line(out: &mut String, from: (f64, f64), to: (f64, f64), colour: &str) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    text_of_size(out, x, y, 12, anchor, words);
}

fn text_of_size(out: &mut String, x: f64, y: f64, size: u32, anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let words = words.replace('>', "&gt;");
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{words}</text>"
    );
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
        // One of several was stopped: the point is there, with a mark. All were: it is not.
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
    fn nothing_is_drawn_of_nothing() {
        let experiment = &all(false)[0];
        assert_eq!(svg(experiment, &[]), None);
    }
}
