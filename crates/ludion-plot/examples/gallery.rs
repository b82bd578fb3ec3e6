//! Writes one plot of each kind, with invented numbers, into the folder named on the command line, and
//! prints them in the terminal: `cargo run -p ludion-plot --example gallery -- FOLDER`.

use std::error::Error;
use std::path::PathBuf;

use ludion_plot::{
    Chart, ChartOptimum, ChartPoint, ChartSeries, DEFAULT_SIZE, HeatMap, NumberUnit, PlotAxis,
    TextOptions,
};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("a folder is needed")?);
    for (name, drawing, text) in [
        ("curve", curve().draw(DEFAULT_SIZE), curve().text(TextOptions::default())),
        ("few", six_values().draw(DEFAULT_SIZE), six_values().text(TextOptions::default())),
        ("lines", lines().draw(DEFAULT_SIZE), lines().text(TextOptions::default())),
        ("words", words().draw(DEFAULT_SIZE), words().text(TextOptions::default())),
        ("heat", heat().draw(DEFAULT_SIZE), heat().text(TextOptions::default())),
        ("nothing", Chart::default().draw(DEFAULT_SIZE), String::new()),
    ] {
        std::fs::write(folder.join(name).with_extension("svg"), drawing.svg())?;
        std::fs::write(folder.join(name).with_extension("png"), drawing.png(1)?)?;
        println!("{text}");
    }
    Ok(())
}

/// Returns an invented score with one maximum.
fn score(a: f64) -> f64 {
    0.68 - 0.075 * (a / 7.0).ln().powi(2)
}

/// Returns a deterministic disturbance that looks random.
fn wobble(i: u32) -> f64 {
    (f64::from(i) * 12.9898).sin() * 0.022
}

fn curve() -> Chart {
    let points = (1..=50).map(|i| {
        let y = score(f64::from(i)) + wobble(i);
        ChartPoint::new(f64::from(i), y, [y - 0.033, y + 0.033])
    });
    let line = (0..=200).map(|i| {
        let x = 1.0 + 0.245 * f64::from(i);
        ChartPoint::new(x, score(x), [score(x) - 0.012, score(x) + 0.012])
    });
    Chart {
        title: "Fifty values of one parameter (invented numbers)".to_owned(),
        note: "run, seed and games stand here; bars and band: 95 %".to_owned(),
        x: PlotAxis::linear("a"),
        y: PlotAxis::linear("score against the field").unit(NumberUnit::Percent),
        series: vec![ChartSeries {
            points: points.collect(),
            line: line.collect(),
            ..ChartSeries::default()
        }],
        level: Some(0.5),
        optimum: Some(ChartOptimum {
            x: 7.0,
            low: 5.4,
            high: 9.1,
            label: "best near 7.0 (95 %: 5.4 to 9.1)".to_owned(),
        }),
    }
}

fn six_values() -> Chart {
    let points =
        [(1.0, 0.352), (2.0, 0.555), (5.0, 0.672), (10.0, 0.637), (20.0, 0.52), (50.0, 0.263)];
    let line = (0..=100).map(|i| {
        let x = 50f64.powf(f64::from(i) / 100.0);
        ChartPoint::new(x, score(x), [score(x) - 0.03, score(x) + 0.03])
    });
    Chart {
        x: PlotAxis::log("a"),
        title: "Six values on a logarithmic axis (invented numbers)".to_owned(),
        note: String::new(),
        series: vec![ChartSeries {
            points: points.map(|(x, y)| ChartPoint::new(x, y, [y - 0.06, y + 0.06])).to_vec(),
            line: line.collect(),
            ..ChartSeries::default()
        }],
        ..curve()
    }
}

fn lines() -> Chart {
    let series = |name: &str, rate: f64, spread: f64| ChartSeries {
        name: name.to_owned(),
        line: (0..=40)
            .map(|i| {
                let y = 1.0 - (-rate * f64::from(i)).exp();
                let half = spread * (1.0 - y) + 0.01;
                ChartPoint::new(f64::from(i), y + wobble(i) / 3.0, [y - half, y + half])
            })
            .collect(),
        ..ChartSeries::default()
    };
    Chart {
        title: "Best value by generation (invented numbers)".to_owned(),
        note: "run and seeds stand here; bands: the middle half".to_owned(),
        x: PlotAxis::linear("generation").unit(NumberUnit::Count),
        y: PlotAxis::linear("best value"),
        series: vec![
            series("cross-entropy", 0.2, 0.15),
            series("genetic", 0.1, 0.2),
            series("random search", 0.04, 0.25),
        ],
        ..Chart::default()
    }
}

fn words() -> Chart {
    let names = ["puct", "phi", "ucb1"].map(str::to_owned).to_vec();
    let values = [0.58, 0.52, 0.40];
    let points = values
        .iter()
        .zip(1..)
        .map(|(y, i)| ChartPoint::new(f64::from(i), *y, [y - 0.03, y + 0.03]));
    Chart {
        title: "Score by formula (invented numbers)".to_owned(),
        x: PlotAxis::names("select", names),
        y: PlotAxis::linear("score").unit(NumberUnit::Percent),
        series: vec![ChartSeries { points: points.collect(), ..ChartSeries::default() }],
        level: Some(0.5),
        ..Chart::default()
    }
}

fn heat() -> HeatMap {
    let columns: Vec<u32> = (1..=10).map(|i| 5 * i).collect();
    let rows = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0];
    let value = |row: &f64, column: &u32| score(f64::from(*column) / 3.0) - 0.1 * (row - 2.0).abs();
    HeatMap {
        title: "Score by a and c (invented numbers)".to_owned(),
        note: "run, seed and games stand here; framed: not worse than the best at 95 %".to_owned(),
        column_label: "a".to_owned(),
        columns: columns.iter().map(u32::to_string).collect(),
        row_label: "c".to_owned(),
        rows: rows.iter().map(f64::to_string).collect(),
        values: rows
            .iter()
            .map(|row| columns.iter().map(|column| Some(value(row, column))).collect())
            .collect(),
        value_label: "score".to_owned(),
        unit: NumberUnit::Percent,
        decimals: 1,
        marked: vec![(3, 3), (3, 4)],
    }
}
