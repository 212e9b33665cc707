//! How well and how fast contact problems are solved.
//!
//! First a table of residuals over problems, strategies and rules of roll-back (docs/solver.md holds a copy); then the
//! time of 100 sweeps. `cargo bench -p drystone-engine --bench solver -- NAME` restricts the timings, not the table.

#[path = "../tests/engine/problems/assemblies.rs"]
mod assemblies;
#[path = "../tests/engine/problems/fclib.rs"]
mod fclib;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use drystone_engine::solver::svd::impulses::solve_impulses;
use drystone_engine::solver::{
    ContactOperator, FrictionModel, RFactor, ResidualScale, Rollback, Solution, SolverSettings, SvdReport, SvdSettings,
    natural_residual, solve,
};

const STRATEGIES: [(&str, RFactor); 5] = [
    ("global", RFactor::GLOBAL),
    ("local", RFactor::LOCAL),
    ("blocked", RFactor::Blocked { reduction: 0.7 }),
    ("adaptive", RFactor::ADAPTIVE),
    ("exact", RFactor::EXACT),
];
const RULES: [Rollback; 3] = [Rollback::Corrected, Rollback::Best, Rollback::Conjugate];

/// What is done with each problem, whatever its type.
trait Visitor {
    fn visit<P: ContactOperator>(&mut self, name: &str, problem: &P);
}

fn visit_all(visitor: &mut impl Visitor) {
    for name in fclib::NAMES {
        visitor.visit(name, &fclib::problem(name));
    }
    visitor.visit("tower of 10, 9 contacts a face", &assemblies::tower(10, 1.0, 3, 0.0).problem());
    visitor.visit("the same, pushed at 0.5 m/s", &assemblies::tower(10, 1.0, 3, 0.5).problem());
    visitor.visit("tower of 4, each 10 times heavier", &assemblies::tower(4, 10.0, 2, 0.0).problem());
    visitor.visit("arch of 13 stones", &assemblies::arch(13).problem());
}

struct Table;

impl Visitor for Table {
    fn visit<P: ContactOperator>(&mut self, name: &str, problem: &P) {
        println!("\n{name}: {} contacts", problem.contact_count());
        println!("| strategy | rule | unit, 100 | unit, 1000 | contact, 1000 | rows, 1000 | divergences |");
        println!("|---|---|---|---|---|---|---|");
        for (strategy, r_factor) in STRATEGIES {
            for rollback in RULES {
                let settings = SolverSettings { r_factor, rollback, ..SolverSettings::CONVERGENT };
                let short = solve(problem, &SolverSettings { max_iterations: 100, ..settings }, &[]);
                let long = solve(problem, &settings, &[]);
                let (Ok(short), Ok(long)) = (short, long) else {
                    println!("| {strategy} | {rollback:?} | runs away | | | | |");
                    continue;
                };
                let scaled = |scale| natural_residual(problem, FrictionModel::Ball, &long.impulses, scale);
                let (contact, rows) = (scaled(ResidualScale::Contact), scaled(ResidualScale::Rows));
                let [short, unit] = [short.natural_residual, long.natural_residual];
                let divergences = long.divergences;
                println!(
                    "| {strategy} | {rollback:?} | {short:.1e} | {unit:.1e} | {contact:.1e} | {rows:.1e} | {divergences} |"
                );
            }
        }
    }
}

struct Timing<'a>(&'a mut Criterion);

impl Visitor for Timing<'_> {
    fn visit<P: ContactOperator>(&mut self, name: &str, problem: &P) {
        let mut group = self.0.benchmark_group(name);
        group.throughput(Throughput::Elements(100 * problem.contact_count() as u64));
        group.sample_size(20);
        for (strategy, r_factor) in STRATEGIES {
            for rollback in [Rollback::Corrected, Rollback::Conjugate] {
                let settings = SolverSettings { r_factor, rollback, max_iterations: 100, ..SolverSettings::CONVERGENT };
                let name = format!("100 sweeps, {strategy}, {rollback:?}");
                group.bench_function(name, |bencher| bencher.iter(|| solve(problem, &settings, &[])));
            }
        }
        group.finish();
    }
}

/// The SVD force method: what became of each problem, and one solve of it.
fn least_norm(criterion: &mut Criterion) {
    let problems = [
        ("tower of 4", assemblies::tower(4, 1.0, 2, 0.0)),
        ("tower of 10, 9 contacts a face", assemblies::tower(10, 1.0, 3, 0.0)),
        ("tower of 80", assemblies::tower(80, 1.0, 2, 0.0)),
        ("tower of 4, each 10 times heavier", assemblies::tower(4, 10.0, 2, 0.0)),
        ("the tower of 10, pushed at 0.5 m/s", assemblies::tower(10, 1.0, 3, 0.5)),
        ("arch of 13 stones", assemblies::arch(13)),
    ];
    println!("\n| problem | status | solves | rank | unknowns | residual | natural residual |");
    println!("|---|---|---|---|---|---|---|");
    let mut group = criterion.benchmark_group("svd");
    group.sample_size(20);
    for (name, assemblies::Assembly { bodies, contacts }) in &problems {
        let solve = || solve_impulses(bodies, contacts, &SvdSettings::STEPS, &SolverSettings::SIMULATION, &[]);
        if let Ok((Solution { svd: Some(report), natural_residual, .. }, _)) = solve() {
            let SvdReport { status, solves, rank, unknowns, residual, .. } = report;
            println!(
                "| {name} | {status:?} | {solves} | {rank} | {unknowns} | {residual:.1e} | {natural_residual:.1e} |"
            );
        }
        group.bench_function(*name, |bencher| bencher.iter(solve));
    }
    group.finish();
}

fn residuals_and_timings(criterion: &mut Criterion) {
    visit_all(&mut Table);
    least_norm(criterion);
    visit_all(&mut Timing(criterion));
}

criterion_group!(benches, residuals_and_timings);
criterion_main!(benches);
