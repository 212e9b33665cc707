//! Parry's contact manifolds of polyhedra alone.
//!
//! `DefaultQueryDispatcher` answers every query for every kind of shape, and programs that use it contain the code for all of them. Between two
//! hulls, two triangle meshes or two compounds it calls one of two functions of parry. The same two are called here with the same arguments, so
//! that the manifolds are the same to the last bit.

use parry3d_f64::math::{Pose, Real, Vector};
use parry3d_f64::query::details::{
    ContactManifoldsWorkspace, NormalConstraints, ShapeCastOptions, contact_manifold_pfm_pfm,
    contact_manifolds_composite_shape_composite_shape,
};
use parry3d_f64::query::{
    ClosestPoints, Contact, ContactManifold, NonlinearRigidMotion, PersistentQueryDispatcher, QueryDispatcher,
    ShapeCastHit, ShapeDistance, ShapeIntersection, Unsupported,
};
use parry3d_f64::shape::Shape;

/// Contact manifolds between two convex polyhedra or triangles, and between two composites of them. Other shapes are not meant for it.
pub(super) struct PolyhedraDispatcher;

impl PersistentQueryDispatcher for PolyhedraDispatcher {
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
        prediction: Real,
        manifolds: &mut Vec<ContactManifold<(), ()>>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        match (shape1.as_composite_shape(), shape2.as_composite_shape()) {
            (Some(composite1), Some(composite2)) => {
                contact_manifolds_composite_shape_composite_shape(
                    self, pos12, composite1, composite2, prediction, manifolds, workspace,
                );
                Ok(())
            }
            (None, None) => {
                if manifolds.is_empty() {
                    manifolds.push(ContactManifold::new());
                }
                self.contact_manifold_convex_convex(pos12, shape1, shape2, None, None, prediction, &mut manifolds[0])
            }
            _ => Err(Unsupported),
        }
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
        constraints1: Option<&dyn NormalConstraints>,
        constraints2: Option<&dyn NormalConstraints>,
        prediction: Real,
        manifold: &mut ContactManifold<(), ()>,
    ) -> Result<(), Unsupported> {
        let features = (shape1.as_polygonal_feature_map(), shape2.as_polygonal_feature_map());
        let (Some((map1, radius1)), Some((map2, radius2))) = features else { return Err(Unsupported) };
        contact_manifold_pfm_pfm(pos12, map1, radius1, constraints1, map2, radius2, constraints2, prediction, manifold);
        Ok(())
    }
}

/// The interface asks for these, the manifolds of polyhedra do not.
impl QueryDispatcher for PolyhedraDispatcher {
    fn intersection_test(&self, _: &Pose, _: &dyn Shape, _: &dyn Shape) -> Result<ShapeIntersection, Unsupported> {
        Err(Unsupported)
    }

    fn distance(&self, _: &Pose, _: &dyn Shape, _: &dyn Shape) -> Result<ShapeDistance, Unsupported> {
        Err(Unsupported)
    }

    fn contact(&self, _: &Pose, _: &dyn Shape, _: &dyn Shape, _: Real) -> Result<Option<Contact>, Unsupported> {
        Err(Unsupported)
    }

    fn closest_points(&self, _: &Pose, _: &dyn Shape, _: &dyn Shape, _: Real) -> Result<ClosestPoints, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes(
        &self,
        _: &Pose,
        _: Vector,
        _: &dyn Shape,
        _: &dyn Shape,
        _: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes_nonlinear(
        &self,
        _: &NonlinearRigidMotion,
        _: &dyn Shape,
        _: &NonlinearRigidMotion,
        _: &dyn Shape,
        _: Real,
        _: Real,
        _: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};
    use parry3d_f64::query::DefaultQueryDispatcher;

    use super::*;
    use crate::generator::parry::{Form, Parry};
    use crate::shape::{Polyhedron, TetrahedralizationSettings, sample};
    use crate::split_mix::SplitMix;

    /// All that a contact generator reads, bit by bit.
    fn manifolds(dispatcher: &dyn PersistentQueryDispatcher, pose: &Pose, shapes: [&dyn Shape; 2]) -> Vec<Vec<u64>> {
        let mut found = Vec::new();
        dispatcher.contact_manifolds(pose, shapes[0], shapes[1], 0.1, &mut found, &mut None).unwrap();
        let bits = |v: Vector| v.to_array().map(f64::to_bits);
        let manifold = |m: &ContactManifold<(), ()>| {
            let points = m.points.iter().flat_map(|p| {
                let features = [p.fid1.0, p.fid2.0].map(u64::from);
                [bits(p.local_p1), bits(p.local_p2)].concat().into_iter().chain([p.dist.to_bits()]).chain(features)
            });
            let parts = [m.subshape1, m.subshape2].map(u64::from);
            parts.into_iter().chain([bits(m.local_n1), bits(m.local_n2)].concat()).chain(points).collect()
        };
        found.iter().map(manifold).collect()
    }

    /// A block with a notch and a wedge, in every form, in poses from deep in each other to just apart.
    #[test]
    fn the_manifolds_are_those_of_the_default_dispatcher() {
        let notched = [[-2.0, -2.0], [2.0, -2.0], [2.0, 0.0], [0.5, 0.0], [0.0, -1.0], [-0.5, 0.0], [-2.0, 0.0]];
        let block = sample::prism(&notched, &[[0, 1, 4], [1, 2, 3], [1, 3, 4], [0, 4, 5], [0, 5, 6]]);
        let wedge = sample::prism(&[[-0.5, -1.0], [0.5, -1.0], [0.0, 0.0]], &[[0, 1, 2]]);
        let solids = [block, wedge]
            .map(|surface| Polyhedron::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap());
        let solids = solids.each_ref().map(|solid| (solid, solid.mesh().unwrap()));
        let mut numbers = SplitMix::new(7);
        for form in [Form::Convex, Form::TriangleMesh, Form::Compound] {
            let shapes = solids.map(|solid| Parry::new(form).form(solid).unwrap());
            let mut touching = 0;
            for _ in 0..200 {
                let mut vector =
                    |size: f64| DVec3::from_array([(); 3].map(|()| size * (2.0 * numbers.next_fraction() - 1.0)));
                let pose = Pose::from_parts(vector(2.0), DQuat::from_scaled_axis(vector(2.0)));
                for order in [[0, 1], [1, 0], [0, 0]] {
                    let pair = order.map(|k| shapes[k]);
                    let found = manifolds(&PolyhedraDispatcher, &pose, pair);
                    assert_eq!(found, manifolds(&DefaultQueryDispatcher, &pose, pair), "{form:?} {pose:?}");
                    // More than the numbers of both parts and the two normals.
                    touching += usize::from(found.iter().any(|manifold| manifold.len() > 8));
                }
            }
            assert!(touching > 100, "{form:?}: {touching}");
        }
    }
}
