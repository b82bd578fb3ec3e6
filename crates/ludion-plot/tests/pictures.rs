//! Plots as SVG, PNG and text: well-formed, of the right size, with the right numbers, and without a
//! panic for any data.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use ludion_plot::{
    Chart, ChartOptimum, ChartPoint, ChartSeries, Colour, DEFAULT_SIZE, Drawing, DrawingShape,
    HeatMap, NumberUnit, PlotAxis, TextAnchor, TextOptions, TextStyle,
};
use proptest::prelude::*;
use tiny_skia::{Pixmap, PremultipliedColorU8};

fn chart() -> Chart {
    let points = [(1.0, 0.352), (2.0, 0.555), (5.0, 0.672), (10.0, 0.637), (20.0, 0.52)];
    Chart {
        title: "Score of <mcts> & \"others\"".to_owned(),
        note: "seed 7".to_owned(),
        x: PlotAxis::log("a"),
        y: PlotAxis::linear("score").unit(NumberUnit::Percent),
        series: vec![ChartSeries {
            name: "mcts".to_owned(),
            points: points.map(|(x, y)| ChartPoint::new(x, y, [y - 0.05, y + 0.05])).to_vec(),
            line: points.map(|(x, y)| ChartPoint::new(x, y, [y - 0.02, y + 0.02])).to_vec(),
        }],
        level: Some(0.5),
        optimum: Some(ChartOptimum {
            x: 6.0,
            low: 4.0,
            high: 9.0,
            label: "best near 6".to_owned(),
        }),
    }
}

fn heat() -> HeatMap {
    HeatMap {
        title: "Grid".to_owned(),
        column_label: "a".to_owned(),
        columns: vec!["1".to_owned(), "2".to_owned()],
        row_label: "c".to_owned(),
        rows: vec!["0.5".to_owned(), "1".to_owned()],
        values: vec![vec![Some(0.25), Some(0.5)], vec![None, Some(0.75)]],
        value_label: "score".to_owned(),
        unit: NumberUnit::Percent,
        decimals: 1,
        marked: vec![(1, 1), (9, 9)],
        ..HeatMap::default()
    }
}

/// Returns the texts of an SVG and checks that it is well-formed.
fn texts(drawing: &Drawing) -> Vec<String> {
    let svg = drawing.svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let size = |name| document.root_element().attribute(name).unwrap().parse::<u32>().unwrap();
    assert_eq!([size("width"), size("height")], drawing.size);
    let texts = document.descendants().filter(roxmltree::Node::is_text);
    texts.map(|node| node.text().unwrap().to_owned()).collect()
}

fn pixels(drawing: &Drawing, scale: u32) -> Pixmap {
    let pixmap = Pixmap::decode_png(&drawing.png(scale).unwrap()).unwrap();
    assert_eq!([pixmap.width(), pixmap.height()], drawing.size.map(|side| side * scale));
    pixmap
}

#[test]
fn the_svg_of_a_chart_is_well_formed_and_contains_its_numbers() {
    let texts = texts(&chart().draw(DEFAULT_SIZE));
    for text in [
        "Score of <mcts> & \"others\"",
        "seed 7",
        "a",
        "score",
        "1",
        "20",
        "40 %",
        "70 %",
        "best near 6",
        "a = 5: 67.2 % (62.2 % to 72.2 %)",
    ] {
        assert!(texts.iter().any(|found| found == text), "{text:?} is not in {texts:?}");
    }
}

#[test]
fn the_svg_of_a_heat_map_contains_the_value_of_every_cell() {
    let texts = texts(&heat().draw(DEFAULT_SIZE));
    for text in ["25.0", "50.0", "75.0", "score in %", "c = 1, a = 2: 75.0"] {
        assert!(texts.iter().any(|found| found == text), "{text:?} is not in {texts:?}");
    }
}

#[test]
fn the_png_has_the_right_size_and_colours_and_a_white_margin() {
    let series_blue = |p: &PremultipliedColorU8| (p.red(), p.green(), p.blue()) == (0, 0x72, 0xb2);
    for scale in [1, 2] {
        let pixmap = pixels(&chart().draw(DEFAULT_SIZE), scale);
        let white = PremultipliedColorU8::from_rgba(255, 255, 255, 255).unwrap();
        assert_eq!(pixmap.pixel(0, 0), Some(white));
        let inked = pixmap.pixels().iter().filter(|pixel| **pixel != white).count();
        let share = inked as f64 / pixmap.pixels().len() as f64;
        assert!((0.02..0.4).contains(&share), "{share} of the pixels are not white");
        assert!(pixmap.pixels().iter().filter(|pixel| series_blue(pixel)).count() > 100);
    }
    // The title has dark pixels.
    let pixmap = pixels(&chart().draw(DEFAULT_SIZE), 1);
    let title = (20..42).flat_map(|y| (28..200).map(move |x| (x, y)));
    assert!(title.filter(|&(x, y)| pixmap.pixel(x, y).unwrap().red() < 100).count() > 300);
}

/// Returns letters of several alphabets in the sizes and weights of charts, at fractions of pixels.
fn letters() -> Drawing {
    let samples = [
        "Score of mcts(c=0.5, sims=1000): 67.2 % ± 3.1 %",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz",
        "0123456789 −1.5 × 10² ½ ≤ … – “a” ‘b’ «c» & <d> [e] {f} #@$€",
        "àéîõüçñßøåŁžşőẽ ΑΒΓΔαβγδφλ АБВГДабвгд ∞→☃",
    ];
    let styles = [(12.0, false), (13.0, false), (14.0, true), (21.0, true)];
    let mut drawing = Drawing { size: [640, 160], title: String::new(), shapes: Vec::new() };
    for ((text, (size, bold)), i) in samples.into_iter().zip(styles).zip(0u8..) {
        let colour = Colour { red: 0, green: 0, blue: 0, opacity: 255 };
        drawing.shapes.push(DrawingShape::Text {
            at: [10.3 + f32::from(i), 30.0 + 35.4 * f32::from(i)],
            text: text.to_owned(),
            anchor: TextAnchor::Start,
            style: TextStyle { size, bold, colour },
        });
    }
    drawing
}

#[test]
fn letters_look_as_another_reader_of_the_font_drew_them() {
    // The picture was drawn with the crate ttf-parser. Instruction sets may round differently.
    let expected = Pixmap::decode_png(include_bytes!("letters.png")).unwrap();
    let found = pixels(&letters(), 1);
    let pairs = expected.pixels().iter().zip(found.pixels());
    let unlike = pairs.filter(|(a, b)| a.red().abs_diff(b.red()) > 2).count();
    assert_eq!(unlike, 0, "pixels that differ");
    assert!(expected.pixels().iter().filter(|pixel| pixel.red() < 128).count() > 2_000);
}

#[test]
fn too_small_sizes_are_raised_and_too_large_ones_rejected() {
    let drawing = chart().draw([1, 1]);
    assert_eq!(drawing.size, [320, 240]);
    assert!(drawing.png(1).is_ok());
    assert_eq!(
        drawing.png(0).unwrap_err().to_string(),
        "a picture cannot have 0 x 0 pixels; each side must have 1 to 16384"
    );
    assert!(chart().draw([u32::MAX, 240]).png(u32::MAX).is_err());
}

#[test]
fn a_chart_in_the_terminal_has_the_expected_text() {
    let text = chart().text(TextOptions { width: 46, height: 10, colour: false });
    let expected = "\
Score of <mcts> & \"others\"
score
     │                     │
     │                    ⣀●⠤⠤⢤⣀⣀⣀  │
     │         │      ⣀⡤⠖⠋⠁│     ⠈⠉⠉●⠦⢤⣀
 60 %┤         │⢀⣀⡤⠴⠒⠋⠁             │  ⠈⠙⠦⣄⡀ │
     │        ⢠●⠉                          ⠙⠦●
     │┄┄┄┄┄┄⢀⡴⠋│┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄│
     │    ⢀⡴⠋
 40 %┤│ ⣀⡴⠋
     │●⠚⠁
     ││
     └┬────────┬───────────┬────────┬────────┬
                        ├────▲────┤
      1        2           5       10       20
                         a
▲ best near 6
seed 7
";
    assert_eq!(text, expected);
}

#[test]
fn colour_in_the_terminal_changes_no_character() {
    let plain = TextOptions { width: 60, height: 12, colour: false };
    let colour = TextOptions { colour: true, ..plain };
    let stripped = |text: String| {
        let mut out = String::new();
        for (i, part) in text.split('\u{1b}').enumerate() {
            out.push_str(if i == 0 { part } else { part.split_once('m').unwrap().1 });
        }
        out
    };
    assert!(chart().text(colour).contains("\u{1b}[38;2;0;114;178m"));
    assert_eq!(stripped(chart().text(colour)), chart().text(plain));
}

#[test]
fn a_heat_map_in_the_terminal_is_a_table() {
    let text = heat().text(TextOptions { width: 40, ..TextOptions::default() });
    let expected = "\
Grid
    a
c        1      2
0.5 ░25.0  ▓50.0
  1        █75.0*
score in %
";
    assert_eq!(text, expected);
    let narrow = HeatMap { columns: vec!["name".to_owned(); 20], ..heat() };
    let text = narrow.text(TextOptions { width: 40, ..TextOptions::default() });
    assert!(text.contains("and 15 more columns"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
}

#[test]
fn an_empty_chart_and_a_single_point_are_drawn() {
    let single = |axis: PlotAxis, x: f64| Chart {
        x: axis,
        series: vec![ChartSeries {
            points: vec![ChartPoint::bare(x, 0.5)],
            ..ChartSeries::default()
        }],
        ..Chart::default()
    };
    for chart in
        [Chart::default(), single(PlotAxis::linear("a"), 3.0), single(PlotAxis::log("a"), -3.0)]
    {
        pixels(&chart.draw(DEFAULT_SIZE), 1);
        assert!(!chart.text(TextOptions::default()).is_empty());
    }
    // A line of one point is drawn as a dot.
    let line = vec![ChartPoint::bare(1.0, 0.5)];
    let short =
        Chart { series: vec![ChartSeries { line, ..ChartSeries::default() }], ..Chart::default() };
    assert!(short.draw(DEFAULT_SIZE).svg().contains("<circle"));
    let texts = texts(&Chart::default().draw(DEFAULT_SIZE));
    assert!(texts.iter().any(|text| text == "nothing to show yet"), "{texts:?}");
    pixels(&HeatMap::default().draw(DEFAULT_SIZE), 1);
    assert_eq!(HeatMap::default().text(TextOptions::default()), "");
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -5.0..50.0f64, 1 => prop::num::f64::ANY]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_chart_is_drawn(
        numbers in prop::collection::vec([any_number(), any_number(), any_number(), any_number()], 0..12),
        best in prop::option::of([any_number(), any_number(), any_number()]),
        log in any::<[bool; 2]>(),
        words in prop::collection::vec(".{0,30}", 5),
        width in 0..120usize,
        series in 1..3usize,
    ) {
        let axis = |log: bool, label: &str| if log { PlotAxis::log(label) } else { PlotAxis::linear(label) };
        let points: Vec<ChartPoint> =
            numbers.iter().map(|&[x, y, low, high]| ChartPoint { x, y, low, high }).collect();
        let one = ChartSeries { name: words[0].clone(), points: points.clone(), line: points };
        let chart = Chart {
            title: words[1].clone(),
            note: words[2].clone(),
            x: axis(log[0], &words[3]),
            y: axis(log[1], &words[4]),
            series: vec![one; series],
            level: best.map(|[level, ..]| level),
            optimum: best.map(|[x, low, high]| ChartOptimum { x, low, high, label: words[0].clone() }),
        };
        let drawing = chart.draw([400, 300]);
        texts(&drawing);
        pixels(&drawing, 1);
        let options = TextOptions { width, height: width / 4, colour: false };
        for line in chart.text(options).lines() {
            prop_assert!(line.chars().count() <= width.max(30), "{line:?}");
        }
    }

    #[test]
    fn any_heat_map_is_drawn(
        values in prop::collection::vec(prop::collection::vec(prop::option::of(any_number()), 0..9), 0..9),
        names in prop::collection::vec(".{0,30}", 0..9),
        width in 0..120usize,
    ) {
        let map = HeatMap { values, rows: names.clone(), columns: names, ..heat() };
        let drawing = map.draw([400, 300]);
        texts(&drawing);
        pixels(&drawing, 1);
        let text = map.text(TextOptions { width, height: 5, colour: false });
        for line in text.lines() {
            prop_assert!(line.chars().count() <= width.max(30), "{line:?}");
        }
    }
}
