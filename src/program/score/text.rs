//! The scores of a single list for people.

use std::io::Write;

use anyhow::Result;

use crate::scenes::assessment::Row;
use crate::scenes::strict::Count;

/// Prints the scores of the paper, then the strict ones, then what the contacts do.
pub fn print(row: &Row) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let score = &row.score;
    let pose = match row.step {
        0 => "the pose at t = 0".into(),
        1 => "the mid-point pose of the first time step".into(),
        step => format!("the mid-point pose of step {step}"),
    };
    writeln!(out, "{} in {}, judged by the {} truth, in {pose}", row.method, row.scene, row.truth)?;
    writeln!(out, "  contacts   {}", score.contacts)?;
    writeln!(out, "  coverage   {:.1} % of the expected normals", 100.0 * score.coverage)?;
    writeln!(out, "  quality    {:.1} % of the contacts", 100.0 * score.quality)?;
    writeln!(out, "  excess     {:.2} times the minimum of {}", score.excess, score.minimum)?;
    if let Some(excess) = row.excess_at_pose {
        writeln!(out, "             {excess:.2} times the {} corners at this pose", row.minimum_at_pose)?;
    }
    if let Some(area) = &score.area {
        let (percent, measured, expected) = (100.0 * area.coverage, area.measured, area.expected);
        writeln!(out, "  area       {percent:.1} %: {measured:.4} of {expected:.4} m²")?;
    }
    write!(out, "  wrong      {} contacts", score.wrong.count)?;
    match score.wrong.angles {
        Some([.., most]) if most < 0.01 => writeln!(out, ", whose normals are not of unit length")?,
        Some([least, .., most]) => writeln!(out, ", by {least:.2}° to {most:.2}°")?,
        None => writeln!(out)?,
    }
    strictly(&mut out, row)?;
    physically(&mut out, row)
}

fn strictly(out: &mut impl Write, row: &Row) -> Result<()> {
    let strict = &row.strict;
    let share = |count: Count| format!("{:.1} %", 100.0 * count.share());
    let metres = |length: Option<f64>| length.map(|x| format!(", at worst by {x:.2e} m")).unwrap_or_default();
    writeln!(out, "Strictly (docs/strict-scores.md)")?;
    writeln!(
        out,
        "  coverage   {} of the expected normals, by contacts that are right in everything",
        share(strict.normals)
    )?;
    writeln!(out, "  quality    {} of the contacts are right in everything", share(strict.contacts))?;
    writeln!(out, "  normals    {} of those that match point from A to B", share(strict.orientation))?;
    let farthest = strict.farthest.map(|x| format!("; the farthest is {x:.2e} m from one")).unwrap_or_default();
    writeln!(out, "  position   {} lie on both surfaces{farthest}", share(strict.position))?;
    writeln!(
        out,
        "  gap        {} of those that match have the right gap{}",
        share(strict.gap),
        metres(strict.gap_error)
    )?;
    writeln!(out, "  touching   {} lie between bodies that touch", share(strict.touching))?;
    writeln!(out, "  distinct   {} are there once", share(strict.distinct))?;
    let missing: Vec<String> = strict.missing.iter().map(|[a, b]| format!("{a}–{b}")).collect();
    let without = if missing.is_empty() { String::new() } else { format!("; without: {}", missing.join(", ")) };
    writeln!(out, "  pairs      {} of {} that touch have contacts{without}", strict.pairs.right, strict.pairs.of)?;
    Ok(())
}

fn physically(out: &mut impl Write, row: &Row) -> Result<()> {
    let Some(physics) = &row.physics else {
        writeln!(out, "In one step: nothing is expected here (docs/strict-scores.md)")?;
        return Ok(());
    };
    let expected = physics.expected_acceleration;
    writeln!(out, "In one step with these contacts and Coulomb's law")?;
    writeln!(out, "  motion     {} of {} bodies move as they should", physics.bodies.right, physics.bodies.of)?;
    match physics.acceleration_error {
        Some(error) => writeln!(out, "  error      {error:.2e} m/s² at worst, where {expected:.2e} m/s² is expected")?,
        None => writeln!(out, "  error      no step can be made with these contacts")?,
    }
    Ok(())
}
