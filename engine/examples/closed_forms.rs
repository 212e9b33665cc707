//! What worlds are off by where mechanics has a closed-form solution, by the reference solver and both presets of the soft step, side by side.
//! Prints the table of docs/physics.md.
//!
//! ```text
//! cargo run --release -p drystone-engine --example closed_forms
//! ```

#[path = "../tests/engine/closed_forms/mod.rs"]
mod closed_forms;

fn main() {
    let solvers = closed_forms::solvers();
    let columns = solvers.each_ref().map(|(_, settings)| closed_forms::figures(settings));
    println!("| what | closed-form solution | {} |", solvers.map(|(name, _)| name).join(" | "));
    println!("|---|---|---|---|---|");
    for (k, row) in columns[0].iter().enumerate() {
        let off = columns.each_ref().map(|column| format!("{:.1e}", column[k].off)).join(" | ");
        let unit = if row.unit.is_empty() { String::new() } else { format!(", {}", row.unit) };
        println!("| {}{unit} | {} | {off} |", row.what, row.law.replace('|', "\\|"));
    }
}
