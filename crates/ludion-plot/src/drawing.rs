//! A picture as a list of shapes, from which the files are made: [`Drawing::svg`] and
//! [`Drawing::png`]. Lengths are in points of a screen, from the upper left corner.

use crate::colour::Colour;

/// A shape.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// A line through points.
    Line {
        /// The points.
        points: Vec<[f32; 2]>,
        /// Its colour.
        colour: Colour,
        /// Its width.
        width: f32,
        /// Whether it is broken into dashes.
        dashed: bool,
    },
    /// The inside of a closed line.
    Area {
        /// The points of the line.
        points: Vec<[f32; 2]>,
        /// Its colour.
        colour: Colour,
    },
    /// A disc with a rim.
    Dot {
        /// The middle.
        at: [f32; 2],
        /// The radius.
        radius: f32,
        /// Its colour.
        colour: Colour,
        /// What a page says of it when it is pointed at.
        tip: String,
    },
    /// A rectangle.
    Box {
        /// The upper left corner.
        at: [f32; 2],
        /// Width and height.
        size: [f32; 2],
        /// What it is filled with.
        fill: Option<Colour>,
        /// Colour and width of its rim.
        rim: Option<(Colour, f32)>,
        /// What a page says of it when it is pointed at.
        tip: String,
    },
    /// A line of text.
    Text {
        /// Where the foot of the letters stands.
        at: [f32; 2],
        /// The text.
        text: String,
        /// Which part of the text is at that place.
        anchor: Anchor,
        /// How it looks.
        style: Style,
    },
}

/// Which part of a text its place means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// How a text looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Style {
    /// The height of its letters, as fonts count it.
    pub size: f32,
    /// Whether it is bold.
    pub bold: bool,
    /// Its colour.
    pub colour: Colour,
}

/// A picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    /// Width and height.
    pub size: [u32; 2],
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// Its shapes, later ones above earlier ones.
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// A straight line.
    pub(crate) fn straight(&mut self, from: [f32; 2], to: [f32; 2], colour: Colour, width: f32) {
        self.shapes.push(Shape::Line { points: vec![from, to], colour, width, dashed: false });
    }

    /// A line of text.
    pub(crate) fn text(
        &mut self,
        at: [f32; 2],
        anchor: Anchor,
        style: Style,
        text: impl Into<String>,
    ) {
        self.shapes.push(Shape::Text { at, text: text.into(), anchor, style });
    }
}
