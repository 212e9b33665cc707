//! A scene with its bodies in another order.

use drystone_engine::BodyId;

use super::with_truths;
use crate::joint::JointEnds;
use crate::scene::Scene;
use drystone_contact::sorting::CompactSort;

/// The scene with its bodies in reversed order, so that A and B change places in every pair.
pub fn exchanged(scene: &Scene) -> Scene {
    let mut exchanged = scene.clone();
    exchanged.bodies.reverse();
    let last = scene.bodies.len().saturating_sub(1);
    let other = |id: BodyId| BodyId::new((last - id.index()) as u32);
    for joint in &mut exchanged.joints {
        if let JointEnds::Bodies { a, b, .. } = &mut joint.ends {
            (*a, *b) = (a.map(other), other(*b));
        }
    }
    for pair in &mut exchanged.excluded {
        *pair = pair.map(other);
    }
    with_truths(&mut exchanged, |truth| {
        for pair in &mut truth.pairs {
            (pair.a, pair.b) = (other(pair.b), other(pair.a));
            pair.normals.iter_mut().filter_map(|n| n.carrier.as_mut()).for_each(|c| c.body = other(c.body));
        }
        truth.pairs.compact_sort_by_key(|pair| (pair.a, pair.b));
    });
    exchanged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BuiltIn;
    use crate::cases::Model;
    use crate::contact_region::{RegionSettings, corners};
    use drystone_engine::Body;

    #[test]
    fn the_truth_follows_the_bodies() {
        let pillar = BuiltIn::Pillar.scene(Model::Procedural, None).unwrap();
        let exchanged_pillar = exchanged(&pillar);
        let names = |scene: &Scene| scene.bodies.iter().map(|b| b.name.clone()).collect::<Vec<_>>();
        let mut reversed = names(&exchanged_pillar);
        reversed.reverse();
        assert_eq!(reversed, names(&pillar));
        let poses: Vec<_> = exchanged_pillar.states().iter().map(Body::pose).collect();
        let found = corners(&exchanged_pillar, &exchanged_pillar.truth, &poses, &RegionSettings::default());
        assert_eq!(found, 40);
        assert!(exchanged_pillar.truth.pairs.iter().all(|pair| pair.a < pair.b));
        assert_eq!(exchanged(&exchanged_pillar).truth, pillar.truth);
    }
}
