//! The bodies of the published program, recorded in `drystone-replica`, as bodies of scenes.

use drystone_engine::{Groups, MaterialTable};
use drystone_replica::recorded::{self, RecordedBody};

use crate::cases::Case;
use crate::scene::{BodyProblem, FREE_AXES, SceneBody};

/// The bodies of a case.
///
/// # Errors
/// [`BodyProblem::Recorded`], [`BodyProblem::RecordedBodies`].
pub fn bodies(case: Case, materials: &MaterialTable) -> Result<Vec<SceneBody>, BodyProblem> {
    named(case.name(), &case.body_names(), recorded::case(case.name(), materials)?)
}

/// The bodies of a structure, with these names in the order of their ids.
///
/// # Errors
/// [`BodyProblem::Recorded`], [`BodyProblem::RecordedBodies`].
pub fn structure(scene: &str, names: &[&str], materials: &MaterialTable) -> Result<Vec<SceneBody>, BodyProblem> {
    named(scene, names, recorded::structure(scene, materials)?)
}

fn named(scene: &str, names: &[&str], bodies: Vec<RecordedBody>) -> Result<Vec<SceneBody>, BodyProblem> {
    if names.len() != bodies.len() {
        return Err(BodyProblem::RecordedBodies { scene: scene.into(), names: names.len(), bodies: bodies.len() });
    }
    let body = |(RecordedBody { shape, body }, name): (RecordedBody, &&str)| SceneBody {
        name: (*name).into(),
        shape,
        body,
        prescribed_motion: None,
        locked_axes: FREE_AXES,
        groups: Groups::ALL,
    };
    Ok(bodies.into_iter().zip(names).map(body).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::materials;

    #[test]
    fn every_case_is_there_with_its_names() {
        let (table, ..) = materials().unwrap();
        for case in Case::ALL {
            let bodies = bodies(case, &table).unwrap();
            assert_eq!(bodies.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), case.body_names(), "{case}");
        }
        assert!(matches!(
            structure("pillar", &["alone"], &table),
            Err(BodyProblem::RecordedBodies { names: 1, bodies: 8, .. })
        ));
    }
}
