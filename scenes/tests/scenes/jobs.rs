//! Jobs: the same outcome wherever they are cut off.

use std::sync::atomic::{AtomicU64, Ordering};

use drystone_contact::generator::Registry;
use drystone_scenes::job::{Checkpoints, Execution, Job, JobError, Outcome, Reader};

const PYRAMID: &str =
    r#"{"scene": "pyramid", "size": 3, "method": "semi-local", "simulation": {"steps": 40, "bodies": true}}"#;

fn read(registry: &Registry, text: &str) -> Job {
    Reader::new(registry).read(text).unwrap()
}

/// Runs a job that is cut off after every so many steps, until it is done; how often that was.
fn in_stretches(job: &Job, registry: &Registry, checkpoints: &Checkpoints, steps: u64) -> (Outcome, usize) {
    for stretch in 0.. {
        let asked = AtomicU64::new(0);
        let is_cancelled = || asked.fetch_add(1, Ordering::Relaxed) + 1 >= steps;
        let execution =
            Execution { checkpoints: Some(checkpoints), is_cancelled: &is_cancelled, ..Execution::new(registry) };
        match job.execute(&execution) {
            Ok(outcome) => return (outcome, stretch),
            Err(JobError::Interrupted) => {}
            Err(error) => panic!("{error}"),
        }
    }
    unreachable!()
}

#[test]
fn a_simulation_in_stretches_ends_with_the_same_bits() {
    let registry = Registry::default();
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path().join("checkpoints"), 1000).unwrap();
    for solver in ["soft", "prox-gauss-seidel"] {
        let job = read(&registry, &PYRAMID.replace("\"size\"", &format!("\"solver\": \"{solver}\", \"size\"")));
        let whole = job.execute(&Execution::new(&registry)).unwrap();
        let end = whole.end.as_ref().unwrap();
        assert_eq!((end.steps, end.solver, end.bodies.as_ref().unwrap().len()), (40, solver, 7));
        assert!(end.mean_contacts > 0.0 && end.kinetic_energy.is_finite());
        for (steps, stretches) in [(1, 39), (7, 5), (39, 1)] {
            let (outcome, count) = in_stretches(&job, &registry, &checkpoints, steps);
            assert_eq!((&outcome, count), (&whole, stretches), "{solver} in stretches of {steps}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path().join("checkpoints")).unwrap().count(), 0);
    assert!(Checkpoints::new(folder.path(), 0).is_err());
}

#[test]
fn ids_differ_where_outcomes_may() {
    let registry = Registry::default();
    let id = |text: &str| read(&registry, text).id();
    let usual = id(PYRAMID);
    assert_eq!((usual.len(), &usual), (32, &id(PYRAMID)));
    for (there, instead) in [
        ("40", "41"),
        ("true", "false"),
        ("\"size\": 3", "\"size\": 4"),
        ("semi-local", "vclip"),
        ("\"steps\"", "\"ccd\": true, \"steps\""),
        ("\"steps\"", "\"suite\": true, \"steps\""),
    ] {
        let other = PYRAMID.replace(there, instead);
        assert_ne!(id(&other), usual, "{other}");
    }
}

#[test]
fn a_solver_that_holds_no_joints_is_refused() {
    let registry = Registry::default();
    let lift = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/lift.toml");
    let job = |solver| read(&registry, &format!(r#"{{"scene": "{lift}", "method": "semi-local"{solver}}}"#));
    let usual = job("").execute(&Execution::new(&registry)).unwrap();
    assert_eq!(usual.rows[0].score.coverage, 1.0);
    let error = job(r#", "solver": "svd""#).execute(&Execution::new(&registry)).unwrap_err().to_string();
    assert!(error.contains("has joints") && error.contains("svd"), "{error}");
}
