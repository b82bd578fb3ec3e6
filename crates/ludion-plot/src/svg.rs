//! Drawings as SVG. Text remains text, so that it can be searched; the viewer shows it in a font
//! similar to the one with which it was measured.

use std::fmt::Write;

use crate::colour::{BACKGROUND, Colour};
use crate::drawing::{Drawing, DrawingShape, TextAnchor, TextStyle};

const FONTS: &str = "'Noto Sans', 'Open Sans', 'DejaVu Sans', Arial, sans-serif";

impl Drawing {
    /// Returns the text of an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let [width, height] = self.size;
        let title = escape_xml(&self.title);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" {}/>\n",
            fill(BACKGROUND)
        );
        for shape in &self.shapes {
            let _ = writeln!(out, "{}", element(shape));
        }
        out.push_str("</svg>\n");
        out
    }
}

fn element(shape: &DrawingShape) -> String {
    match shape {
        DrawingShape::Line { points, colour, width, dashed } => {
            let dashes = if *dashed { " stroke-dasharray=\"5 4\"" } else { "" };
            format!(
                "<polyline points=\"{}\" fill=\"none\" {} stroke-width=\"{width}\" \
                 stroke-linejoin=\"round\"{dashes}/>",
                points_attribute(points),
                stroke(*colour)
            )
        }
        DrawingShape::Area { points, colour } => {
            format!("<polygon points=\"{}\" {}/>", points_attribute(points), fill(*colour))
        }
        DrawingShape::Dot { at: [x, y], radius, colour, tip } => {
            let (fill, rim) = (fill(*colour), stroke(BACKGROUND));
            let body = format!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" {fill} {rim}");
            with_tip(&body, "circle", tip)
        }
        DrawingShape::Box { at: [x, y], size: [width, height], fill: inside, rim, tip } => {
            let mut body = format!(
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" {}",
                inside.map_or("fill=\"none\"".to_owned(), fill)
            );
            if let Some((colour, width)) = rim {
                let _ = write!(body, " {} stroke-width=\"{width}\"", stroke(*colour));
            }
            with_tip(&body, "rect", tip)
        }
        DrawingShape::Text { at: [x, y], text, anchor, style } => {
            let anchor = match anchor {
                TextAnchor::Start => "",
                TextAnchor::Middle => " text-anchor=\"middle\"",
                TextAnchor::End => " text-anchor=\"end\"",
            };
            let TextStyle { size, bold, colour } = style;
            let weight = if *bold { " font-weight=\"bold\"" } else { "" };
            let (fill, text) = (fill(*colour), escape_xml(text));
            format!(
                "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\"{weight}{anchor} {fill}>\
                 {text}</text>"
            )
        }
    }
}

fn with_tip(body: &str, name: &str, tip: &str) -> String {
    if tip.is_empty() {
        format!("{body}/>")
    } else {
        format!("{body}><title>{}</title></{name}>", escape_xml(tip))
    }
}

fn points_attribute(points: &[[f32; 2]]) -> String {
    points.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

fn fill(colour: Colour) -> String {
    colour_attribute("fill", colour)
}

fn stroke(colour: Colour) -> String {
    colour_attribute("stroke", colour)
}

fn colour_attribute(name: &str, colour: Colour) -> String {
    let Colour { red, green, blue, opacity } = colour;
    let mut text = format!("{name}=\"#{red:02x}{green:02x}{blue:02x}\"");
    if opacity < 255 {
        let _ = write!(text, " {name}-opacity=\"{:.3}\"", f64::from(opacity) / 255.0);
    }
    text
}

/// Escapes the special characters of XML. Control characters, which XML does not allow, become
/// spaces.
fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
