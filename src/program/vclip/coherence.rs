//! `drystone vclip coherence`: operations a call beside the published curves, point by point.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use rayon::prelude::*;

use crate::program::interrupt::Interrupt;
use crate::program::output::{is_standard, note, write_to};
use crate::program::progress::Progress;
use crate::replica::vclip::coherence::{Effort, Solid, effort};
use crate::replica::vclip::{Published, published};
use crate::report::{OperationCurves, operations};

/// A measured mean agrees with the published one within this share of it.
const TOLERANCE: f64 = 0.1;

/// What `drystone vclip coherence` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The mean over seeds 0 to N−1, each with ten courses of a thousand calls.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    seeds: u64,

    /// Write one row a point as CSV; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw our curves and the published ones; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A point with what was measured there.
type Measured = (Published, Effort);

/// Runs the experiment. `false`: it was interrupted.
pub fn run(arguments: &Arguments) -> Result<bool> {
    if let (Some(csv), Some(svg)) = (&arguments.csv, &arguments.svg)
        && csv == svg
    {
        bail!("--csv and --svg both write to {}; give them different places", csv.display());
    }
    let interrupt = Interrupt::watch();
    let points = published();
    let progress = Progress::new(points.len());
    let one = |point: Published| -> Result<Option<Measured>> {
        let solid = point.solid.polyhedron()?;
        let mut sum = Effort::default();
        for seed in 0..arguments.seeds {
            if interrupt.is_asked() {
                return Ok(None);
            }
            sum += effort(&solid, f64::from(point.rate), seed);
        }
        progress.advance(&format!("{} {}°", point.solid.name(), point.rate));
        Ok(Some((point, sum)))
    };
    let measured: Option<Vec<Measured>> = points.into_par_iter().with_max_len(1).map(one).collect::<Result<_>>()?;
    progress.finish();
    let Some(measured) = measured else {
        note("drystone: interrupted; nothing is written");
        return Ok(false);
    };
    if let Some(path) = &arguments.csv {
        write_to(path, csv(&measured)?.as_bytes())?;
    }
    if let Some(path) = &arguments.svg {
        write_to(path, svg(&measured).as_bytes())?;
    }
    if ![&arguments.csv, &arguments.svg].into_iter().flatten().any(|path| is_standard(path)) {
        print!("{}", table(&measured)?);
    }
    Ok(true)
}

fn ratio((point, effort): &Measured) -> f64 {
    effort.mean() / point.vclip
}

fn table(measured: &[Measured]) -> Result<String> {
    let mut text = String::from(
        "Operations a call of V-Clip: published, measured, measured by published, and measured without keeping\n\
         moved points from state to state, which is how the search runs where it is not counted.\n",
    );
    for solid in Solid::PUBLISHED {
        let of_solid = || measured.iter().filter(|(point, _)| point.solid == solid);
        writeln!(text, "\n{}\n  °/call  published  measured  ratio  not kept", solid.name())?;
        for cell in of_solid() {
            let (point, effort) = cell;
            writeln!(
                text,
                "{:>8}  {:>9.1}  {:>8.1}  {:>5.2}{} {:>8.1}",
                point.rate,
                point.vclip,
                effort.mean(),
                ratio(cell),
                if ratio(cell) > 1.0 + TOLERANCE { '*' } else { ' ' },
                effort.without_keeping as f64 / effort.calls as f64
            )?;
        }
        let mean = of_solid().map(ratio).sum::<f64>() / of_solid().count() as f64;
        writeln!(text, "    mean                       {mean:>5.2}")?;
    }
    let within = |low: f64| measured.iter().filter(|cell| (low..=1.0 + TOLERANCE).contains(&ratio(cell))).count();
    let sum = measured.iter().fold(Effort::default(), |mut sum, (_, effort)| {
        sum += *effort;
        sum
    });
    writeln!(
        text,
        "\n{} of {} points are within {:.0} % of the published curve or below it, {} within it on either side (*: above).",
        within(0.0),
        measured.len(),
        100.0 * TOLERANCE,
        within(1.0 - TOLERANCE)
    )?;
    writeln!(text, "{} calls: {} circles, {} wrongly found common points.", sum.calls, sum.circles, sum.intersecting)?;
    Ok(text)
}

fn csv(measured: &[Measured]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "shape",
        "degrees",
        "published_vclip",
        "published_lin_canny",
        "published_enhanced_gjk",
        "measured",
        "without_keeping",
        "calls",
        "circles",
        "intersecting",
    ])?;
    for (point, effort) in measured {
        writer.write_record([
            point.solid.name().to_owned(),
            point.rate.to_string(),
            point.vclip.to_string(),
            point.lin_canny.to_string(),
            point.enhanced_gjk.to_string(),
            effort.mean().to_string(),
            (effort.without_keeping as f64 / effort.calls as f64).to_string(),
            effort.calls.to_string(),
            effort.circles.to_string(),
            effort.intersecting.to_string(),
        ])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

fn svg(measured: &[Measured]) -> String {
    let panel = |solid: Solid| {
        let curve = |value: fn(&Measured) -> f64| {
            let of_solid = measured.iter().filter(|(point, _)| point.solid == solid);
            of_solid.map(|cell| [f64::from(cell.0.rate), value(cell)]).collect()
        };
        OperationCurves {
            title: solid.name().into(),
            curves: vec![
                ("V-Clip, measured", curve(|(_, effort)| effort.mean())),
                ("V-Clip, published", curve(|(point, _)| point.vclip)),
                ("Lin–Canny, published", curve(|(point, _)| point.lin_canny)),
                ("Enhanced GJK, published", curve(|(point, _)| point.enhanced_gjk)),
            ],
        }
    };
    operations(&Solid::PUBLISHED.map(panel), "Operations a call in the coherence test")
}
