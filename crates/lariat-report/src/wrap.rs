//! Text that is as wide as a terminal. Lines end between words, and go on below the text of the line, not below its label.

/// Text in which no line is longer than `width`, as far as its words allow.
pub fn wrapped(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_string();
    };
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        match length(line) <= width {
            true => out.push_str(line),
            false => wrap_line(line, width, &mut out),
        }
        out.push_str(end);
    }
    out
}

/// Breaks a line that is too long.
fn wrap_line(line: &str, width: usize, out: &mut String) {
    let text = line.trim_start();
    let leading = line.len() - text.len();
    let indent = hanging_indent(text, leading, width);
    let mut column = leading;
    let mut is_first = true;
    out.push_str(&line[..leading]);
    // Spaces between words stay as they are, so that a label keeps its distance.
    let mut gap = "";
    for piece in pieces(text) {
        if piece.starts_with(' ') {
            gap = piece;
            continue;
        }
        let is_long = length(piece) > width.saturating_sub(indent);
        let parts = match is_long {
            true => parts(piece, BREAKS),
            false => vec![piece],
        };
        for part in parts {
            let room = width.saturating_sub(column + gap.len());
            if !is_first && length(part) > room {
                out.push('\n');
                out.push_str(&" ".repeat(indent));
                column = indent;
            } else {
                out.push_str(gap);
                column += gap.len();
            }
            gap = "";
            out.push_str(part);
            column += length(part);
            is_first = false;
        }
    }
}

/// Where the lines after the first begin: below what follows a label, if there is one, or a little to the right.
fn hanging_indent(text: &str, leading: usize, width: usize) -> usize {
    let label = text.find("  ").map(|end| {
        let gap = text[end..].len() - text[end..].trim_start().len();
        leading + length(&text[..end]) + gap
    });
    match label {
        Some(column) if column <= width / 2 => column,
        _ => leading + 2,
    }
}

/// Words, and the spaces between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_space = rest.chars().next()? == ' ';
        let end = rest.find(|c: char| (c == ' ') != is_space);
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        Some(piece)
    })
}

/// The lines of a cell that is so wide. A word that is too long is broken behind signs; a name or a number is broken only
/// if it is longer than the cell.
pub fn cell(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Lines::new(width);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        lines.space();
        for part in parts(word, BREAKS) {
            match length(part) <= width {
                true => lines.add(part),
                false => lines.add_broken(part),
            }
        }
    }
    lines.done
}

/// The lines of a cell with a list, whose items stay whole if they can.
pub fn list_cell(items: &[String], width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Lines::new(width);
    for (index, item) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() { "," } else { "" };
        let item = format!("{item}{comma}");
        lines.space();
        match length(&item) <= width {
            true => lines.add(&item),
            false => {
                let mut broken = cell(&item, width).into_iter();
                lines.add(&broken.next().unwrap_or_default());
                broken.for_each(|line| lines.add_below(line));
            }
        }
    }
    lines.done
}

/// The length of the longest part of a text that a cell keeps in one line.
pub fn longest_part(text: &str) -> usize {
    let words = text.split(' ').flat_map(|word| parts(word, BREAKS));
    words.map(length).max().unwrap_or(0)
}

/// The lines of a cell so far.
struct Lines {
    width: usize,
    done: Vec<String>,
    /// Whether there is a space before what comes next, unless that begins a line.
    space: bool,
}

impl Lines {
    fn new(width: usize) -> Self {
        Lines {
            width,
            done: vec![String::new()],
            space: false,
        }
    }

    fn space(&mut self) {
        self.space = true;
    }

    /// Adds a part that is not longer than a line.
    fn add(&mut self, part: &str) {
        let column = self.done.last().map_or(0, |line| length(line));
        let space = usize::from(self.space && column > 0);
        if column > 0 && column + space + length(part) > self.width {
            self.done.push(String::new());
        } else if let (1, Some(line)) = (space, self.done.last_mut()) {
            line.push(' ');
        }
        self.space = false;
        if let Some(line) = self.done.last_mut() {
            line.push_str(part);
        }
    }

    /// Adds a part that is longer than a line.
    fn add_broken(&mut self, part: &str) {
        for part in parts(part, |_, _| true) {
            let chars: Vec<char> = part.chars().collect();
            for chunk in chars.chunks(self.width) {
                self.add(&chunk.iter().collect::<String>());
            }
        }
    }

    fn add_below(&mut self, line: String) {
        self.done.push(line);
        self.space = true;
    }
}

/// Whether a word may be broken between two characters, the first of which is a sign: a bracket stays with what it opens.
const BREAKS: fn(char, char) -> bool =
    |sign, next| !"([{!".contains(sign) && (is_name(next) || "([{".contains(next));

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The parts of a word: it is broken behind signs.
fn parts(word: &str, breaks: impl Fn(char, char) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (index, c) in word.char_indices() {
        if before.is_some_and(|sign| !is_name(sign) && breaks(sign, c)) {
            parts.push(&word[start..index]);
            start = index;
        }
        before = Some(c);
    }
    parts.push(&word[start..]);
    parts
}

/// The number of characters that are seen: colours are not.
pub fn length(text: &str) -> usize {
    let mut count = 0;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' => while chars.next().is_some_and(|c| c != 'm') {},
            _ => count += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words() {
        let text = "  states   12,345 stored, 678 matched\n  kept\n";
        assert_eq!(wrapped(text, None), text);
        assert_eq!(wrapped(text, Some(80)), text);
        assert_eq!(
            wrapped(text, Some(26)),
            "  states   12,345 stored,\n           678 matched\n  kept\n"
        );
        assert_eq!(
            wrapped("  one two three\n", Some(9)),
            "  one two\n    three\n"
        );
        assert_eq!(
            wrapped("  one (first+second)\n", Some(11)),
            "  one\n    (first+\n    second)\n"
        );
    }

    #[test]
    fn colours_have_no_width() {
        let text = "  \x1b[1mone two\x1b[0m three";
        assert_eq!(wrapped(text, Some(15)), text);
        assert_eq!(
            wrapped(text, Some(14)),
            "  \x1b[1mone two\x1b[0m\n    three"
        );
    }

    #[test]
    fn cells_are_broken_at_signs() {
        assert_eq!(cell("x = 1", 10), ["x = 1"]);
        assert_eq!(cell("x = 1, y = 2", 7), ["x = 1,", "y = 2"]);
        assert_eq!(
            cell("taken[first]==12345", 8),
            ["taken[", "first]==", "12345"]
        );
        assert_eq!(cell("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(cell("", 3), [""]);
    }

    #[test]
    fn items_stay_whole() {
        let items = [
            "x = 1".to_string(),
            "long = 234".to_string(),
            "y = 2".into(),
        ];
        assert_eq!(list_cell(&items, 80), ["x = 1, long = 234, y = 2"]);
        assert_eq!(list_cell(&items, 12), ["x = 1,", "long = 234,", "y = 2"]);
        assert_eq!(list_cell(&items, 8), ["x = 1,", "long =", "234,", "y = 2"]);
        assert_eq!(list_cell(&[], 8), [""]);
    }

    /// Nothing is lost, and nothing is wider than the cell.
    #[test]
    fn cells_keep_their_text() {
        let text = "c!first,second[3] && (x == 12 || length > 1000000)   ; done";
        let plain = |text: &str| text.replace(' ', "");
        for width in 1..70 {
            let lines = cell(text, width);
            assert!(lines.iter().all(|line| line.len() <= width), "{lines:?}");
            assert_eq!(plain(&lines.concat()), plain(text), "{width}");
        }
    }
}
