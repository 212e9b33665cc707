use super::*;
use crate::fclib::benchmark::{BenchSettings, measure};
use crate::fclib::{parse, residual};

const SMALL: &[u8] = include_bytes!("../../../tests/data/fclib/full-mass.hdf5");
const ASYMMETRIC: &[u8] = include_bytes!("../../../tests/data/fclib/asymmetric.hdf5");
const BOXES: &[u8] = include_bytes!("../../../tests/data/fclib/Box_Stacks-i0122-82-5.hdf5");

const SETTINGS: BenchSettings = BenchSettings { tolerance: 1e-10, max_sweeps: 2000, repeats: 1 };

#[test]
fn names_are_read_back() {
    for solver in BenchSolver::ALL {
        assert_eq!(solver.name().parse(), Ok(solver));
    }
    assert!("lemke".parse::<BenchSolver>().unwrap_err().to_string().contains("blocked-conjugate"));
}

#[test]
fn solvers_agree_whether_the_matrix_is_symmetric_or_not() {
    for bytes in [SMALL, ASYMMETRIC] {
        let problem = parse(bytes).unwrap();
        let velocities =
            ["blocked-conjugate", "blocked-best", "exact-best", "nsgs-projection", "nsgs-exact"].map(|name| {
                let solver: BenchSolver = name.parse().unwrap();
                let impulses = solver.run(&problem, SETTINGS.max_sweeps).unwrap();
                let found = residual(&problem, &impulses);
                assert!(found.relative < 1e-12 && found.merit < 1e-12, "{name}: {found:?}");
                problem.velocities(&impulses)
            });
        for others in &velocities[1..] {
            let pairs = others.iter().flatten().zip(velocities[0].iter().flatten());
            let off = pairs.fold(0.0, |largest: f64, (x, y)| largest.max((x - y).abs()));
            assert!(off < 1e-10, "{off}");
        }
    }
}

#[test]
fn the_fewest_sweeps_are_found() {
    let problem = parse(BOXES).unwrap();
    for name in ["blocked-best", "nsgs-exact"] {
        let solver: BenchSolver = name.parse().unwrap();
        let found = measure(&problem, &solver, &SETTINGS, || true).unwrap();
        assert!(found.reached && found.seconds > 0.0, "{name}: {found:?}");
        let after = |sweeps| residual(&problem, &solver.run(&problem, sweeps).unwrap()).relative;
        assert!(after(found.sweeps) <= SETTINGS.tolerance, "{name}: {found:?}");
        assert!(found.sweeps == 1 || after(found.sweeps - 1) > SETTINGS.tolerance, "{name}: {found:?}");
    }
    let one = BenchSettings { max_sweeps: 1, ..SETTINGS };
    let short = measure(&problem, &"nsgs-projection".parse().unwrap(), &one, || true).unwrap();
    assert!(!short.reached && short.sweeps == 1 && short.residual > Some(SETTINGS.tolerance), "{short:?}");
    assert_eq!(measure(&problem, &"nsgs-exact".parse().unwrap(), &SETTINGS, || false), None);
}
