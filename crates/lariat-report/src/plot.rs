//! The parts of plots: an SVG text to which shapes are added, and scales from values to coordinates.
//!
//! ```
//! use lariat_report::plot::{Anchor, Drawing, Scale, Stroke};
//!
//! let (across, up) = (Scale::linear(0.0..1.0, 20.0..120.0), Scale::logarithmic(1.0..100.0, 70.0..10.0));
//! let mut drawing = Drawing::new(140.0, 90.0);
//! let places = [(0.0, 1.0), (1.0, 100.0)].map(|(x, y)| (across.place(x), up.place(y)));
//! assert_eq!(places, [(20.0, 70.0), (120.0, 10.0)]);
//! drawing.polyline(&places, Stroke::new("black"));
//! drawing.text((20.0, 85.0), 12, Anchor::Start, "a < b");
//! assert!(drawing.finish().contains("a &lt; b"));
//! ```

use std::fmt::Write;
use std::ops::Range;

/// Colours that people with any kind of colour vision can tell apart (Okabe and Ito, 2008).
pub const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];

/// A point of a drawing, in pixels from the left and from the top.
pub type Place = (f64, f64);

/// The style of a line.
#[derive(Clone, Copy, Debug)]
pub struct Stroke<'a> {
    /// The colour.
    pub colour: &'a str,
    /// The width in pixels.
    pub width: f64,
    /// Whether the line is broken.
    pub dashed: bool,
}

impl<'a> Stroke<'a> {
    /// A thin solid line.
    pub fn new(colour: &'a str) -> Self {
        Stroke {
            colour,
            width: 1.0,
            dashed: false,
        }
    }

    /// The same line, with this width.
    pub fn width(self, width: f64) -> Self {
        Stroke { width, ..self }
    }

    /// The same line, broken if asked for.
    pub fn dashed(self, dashed: bool) -> Self {
        Stroke { dashed, ..self }
    }

    fn attributes(&self) -> String {
        let dashes = match self.dashed {
            true => " stroke-dasharray=\"5 4\"",
            false => "",
        };
        format!(
            "stroke=\"{}\" stroke-width=\"{}\"{dashes}",
            self.colour, self.width
        )
    }
}

/// The part of a text that lies at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A drawing that shapes are added to.
#[derive(Clone, Debug)]
pub struct Drawing(String);

impl Drawing {
    /// A white drawing of this size.
    pub fn new(width: f64, height: f64) -> Self {
        Drawing(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        ))
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: Place, to: Place, stroke: Stroke<'_>) {
        let _ = writeln!(
            self.0,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {}/>",
            from.0,
            from.1,
            to.0,
            to.1,
            stroke.attributes()
        );
    }

    /// Adds a line through several points.
    pub fn polyline(&mut self, places: &[Place], stroke: Stroke<'_>) {
        let one = |(x, y): &Place| format!("{x:.1},{y:.1}");
        let path: Vec<String> = places.iter().map(one).collect();
        let _ = writeln!(
            self.0,
            "<polyline points=\"{}\" fill=\"none\" {}/>",
            path.join(" "),
            stroke.attributes()
        );
    }

    /// Adds the marker of a point: a disc, or a ring.
    pub fn marker(&mut self, (x, y): Place, radius: f64, colour: &str, hollow: bool) {
        let fill = if hollow { "white" } else { colour };
        let _ = writeln!(
            self.0,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{colour}\"/>"
        );
    }

    /// Adds a line of text.
    pub fn text(&mut self, (x, y): Place, size: u32, anchor: Anchor, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let words = words.replace('&', "&amp;").replace('<', "&lt;");
        let words = words.replace('>', "&gt;");
        let _ = writeln!(
            self.0,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{words}</text>"
        );
    }

    /// The drawing as SVG.
    pub fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

/// Maps values to coordinates in one direction. Values outside of the scale are mapped to its ends.
#[derive(Clone, Debug)]
pub struct Scale {
    values: Range<f64>,
    places: Range<f64>,
    is_logarithmic: bool,
}

impl Scale {
    /// Equal differences have equal distances.
    pub fn linear(values: Range<f64>, places: Range<f64>) -> Self {
        Scale {
            values,
            places,
            is_logarithmic: false,
        }
    }

    /// Equal ratios have equal distances; all values must be positive.
    pub fn logarithmic(values: Range<f64>, places: Range<f64>) -> Self {
        Scale {
            values: values.start.ln()..values.end.ln(),
            places,
            is_logarithmic: true,
        }
    }

    /// The coordinate of a value.
    pub fn place(&self, value: f64) -> f64 {
        let value = match self.is_logarithmic {
            true => value.ln(),
            false => value,
        };
        let part = (value - self.values.start) / (self.values.end - self.values.start);
        self.places.start + (self.places.end - self.places.start) * part.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let across = Scale::linear(0.0..1.0, 36.0..218.0);
        assert_eq!(
            [0.0, 1.0, -1.0].map(|v| across.place(v)),
            [36.0, 218.0, 36.0]
        );
        let up = Scale::logarithmic(1.0..25.0, 146.0..26.0);
        assert_eq!([1.0, 25.0, 1e9].map(|v| up.place(v)), [146.0, 26.0, 26.0]);
        assert!(up.place(2.0) < up.place(1.0));
    }

    #[test]
    fn shapes() {
        let mut drawing = Drawing::new(10.0, 10.0);
        drawing.line((0.0, 0.0), (1.0, 1.0), Stroke::new("#000").dashed(true));
        drawing.polyline(&[(0.0, 0.0), (1.0, 2.0)], Stroke::new("#000").width(2.0));
        drawing.marker((1.0, 1.0), 2.0, "#000", true);
        let text = drawing.finish();
        assert!(text.contains("stroke-dasharray") && text.contains("points=\"0.0,0.0 1.0,2.0\""));
        assert!(text.contains("fill=\"white\" stroke=\"#000\"") && text.ends_with("</svg>\n"));
    }
}
