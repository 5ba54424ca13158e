//! The few shapes the diagrams are made of, written as SVG text.

use foresee_stdx::escaped_markup;
use std::fmt::Write;

/// The width of text in pixels: a monospaced font of 12 pixels, wide characters counted twice.
pub(super) fn text_width(text: &str) -> i32 {
    let cells: i32 = text
        .chars()
        .map(|c| if (0x1100..0x2000).contains(&(c as u32)) || c as u32 > 0x2e00 { 2 } else { 1 })
        .sum();
    cells * 29 / 4 + 1
}

/// Collects shapes.
#[derive(Default)]
pub(super) struct Canvas {
    out: String,
}

impl Canvas {
    fn put(&mut self, shape: std::fmt::Arguments<'_>) {
        self.out.write_fmt(shape).expect("writing to a string");
        self.out.push('\n');
    }

    /// Shapes that belong together; the title is shown when pointed at and read aloud.
    pub(super) fn open_group(&mut self, title: &str) {
        let title = escape(title);
        self.put(format_args!("<g><title>{title}</title>"));
    }

    pub(super) fn close_group(&mut self) {
        self.put(format_args!("</g>"));
    }

    pub(super) fn text(&mut self, x: i32, y: i32, text: &str, colour: &str, anchor: &str) {
        self.text_styled(x, y, text, colour, anchor, "");
    }

    pub(super) fn text_styled(
        &mut self,
        x: i32,
        y: i32,
        text: &str,
        colour: &str,
        anchor: &str,
        style: &str,
    ) {
        if text.is_empty() {
            return;
        }
        let text = escape(text);
        self.put(format_args!(
            "<text class=\"t\" x=\"{x}\" y=\"{y}\" fill=\"{colour}\" text-anchor=\"{anchor}\" {style}>{text}</text>"
        ));
    }

    pub(super) fn line(&mut self, from: (i32, i32), to: (i32, i32), colour: &str, style: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.put(format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\" {style}/>"
        ));
    }

    /// A line with a head of its own colour (markers cannot inherit it everywhere), ending `distance` before `to`.
    pub(super) fn arrow(
        &mut self,
        from: (i32, i32),
        to: (i32, i32),
        distance: i32,
        colour: &str,
        style: &str,
    ) {
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let part = 1.0 - f64::from(distance) / dx.hypot(dy).max(1.0);
        let end = |start: i32, delta: f64| start + (delta * part).round() as i32;
        let tip = (end(from.0, dx), end(from.1, dy));
        self.line(from, tip, colour, &format!("stroke-width=\"1.6\" {style}"));
        self.head(from, tip, colour);
    }

    /// A message to oneself: out to the left and back; texts stand on the right.
    pub(super) fn bow(&mut self, x: i32, from_y: i32, to_y: i32, colour: &str) {
        let out = x - 46;
        self.put(format_args!(
            "<path d=\"M {x} {from_y} C {out} {from_y} {out} {to_y} {} {to_y}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"1.6\"/>",
            x - 7
        ));
        self.head((out, to_y), (x - 6, to_y), colour);
    }

    /// A dashed bow between two events, with a knob at each end.
    pub(super) fn race(&mut self, from: (i32, i32), to: (i32, i32), is_strong: bool, colour: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        // Out to the right of a lane, or below the straight line between two.
        let middle =
            if x1 == x2 { (x1 + 40, (y1 + y2) / 2) } else { ((x1 + x2) / 2, (y1 + y2) / 2 + 14) };
        let (width, opacity) = if is_strong { ("2.2", "1") } else { ("1.3", "0.55") };
        self.put(format_args!(
            "<path d=\"M {x1} {y1} Q {} {} {x2} {y2}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
             stroke-dasharray=\"1 5\" stroke-linecap=\"round\" opacity=\"{opacity}\"/>",
            middle.0, middle.1
        ));
        if is_strong {
            self.circle(x1, y1, 9, "none", colour);
            self.circle(x2, y2, 9, "none", colour);
        }
    }

    fn head(&mut self, from: (i32, i32), to: (i32, i32), colour: &str) {
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let corner = |side: f64| {
            let x = f64::from(to.0) - 10.0 * ux - side * 4.0 * uy;
            let y = f64::from(to.1) - 10.0 * uy + side * 4.0 * ux;
            format!("{x:.1},{y:.1}")
        };
        let (left, right) = (corner(1.0), corner(-1.0));
        self.put(format_args!(
            "<polygon points=\"{},{} {left} {right}\" fill=\"{colour}\"/>",
            to.0, to.1
        ));
    }

    pub(super) fn circle(&mut self, x: i32, y: i32, r: i32, fill: &str, stroke: &str) {
        self.put(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>"
        ));
    }

    pub(super) fn ring(&mut self, x: i32, y: i32, r: i32, colour: &str) {
        self.put(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"3\"/>"
        ));
    }

    /// A clock's face with two hands.
    pub(super) fn clock(&mut self, x: i32, y: i32, colour: &str) {
        self.circle(x, y, 7, "#ffffff", colour);
        self.put(format_args!(
            "<path d=\"M {x} {} V {y} H {}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            y - 5,
            x + 4
        ));
    }

    pub(super) fn cross(&mut self, x: i32, y: i32, r: i32, colour: &str) {
        let style = "stroke-width=\"3\" stroke-linecap=\"round\"";
        self.line((x - r, y - r), (x + r, y + r), colour, style);
        self.line((x - r, y + r), (x + r, y - r), colour, style);
    }

    pub(super) fn rect(
        &mut self,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        fill: &str,
        stroke: &str,
    ) {
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\" stroke=\"{stroke}\"/>"
        ));
    }

    pub(super) fn rounded(
        &mut self,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        fill: &str,
        stroke: &str,
    ) {
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{fill}\" \
             stroke=\"{stroke}\"/>"
        ));
    }

    /// The whole document around the shapes. Text has a halo in the colour of the ground, so that lines behind it do not
    /// run through the letters.
    pub(super) fn finish(self, width: i32, height: i32, title: &str, description: &str) -> String {
        let (title, description, shapes) = (escape(title), escape(description), self.out);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" xml:space=\"preserve\" role=\"img\" aria-labelledby=\"title desc\" \
             font-family=\"'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace\" font-size=\"12\">\n\
             <title id=\"title\">{title}</title>\n\
             <desc id=\"desc\">{description}</desc>\n\
             <style>.t {{ paint-order: stroke; stroke: #ffffff; stroke-opacity: 0.85; stroke-width: 4px; \
             stroke-linejoin: round; }}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#ffffff\"/>\n\
             {shapes}</svg>\n"
        )
    }
}

/// Text of a picture stands on one line.
fn escape(text: &str) -> String {
    escaped_markup(text).replace(['\n', '\t'], " ")
}
