//! Simple solids for the tests of what is made of solids.

use glam::{DMat3, DVec3};

use super::{BoundedMass, Crossing, NoNormal, OrientedBox, Relation, Solid};
use crate::bounds::Bounds;
use crate::shape::{MassProperties, MassPropertiesError, SurfacePoint, Triangles};

fn exact(properties: MassProperties) -> BoundedMass {
    BoundedMass { properties, volume_error: 0.0, centre_error: 0.0, inertia_error: 0.0 }
}

/// A ball about the origin.
#[derive(Debug)]
pub struct StandInBall {
    pub radius: f64,
}

impl Solid for StandInBall {
    fn kind(&self) -> &'static str {
        "ball"
    }

    fn bounds(&self) -> Bounds {
        Bounds { low: DVec3::splat(-self.radius), high: DVec3::splat(self.radius) }
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let rounding = turned.rounding(self.radius);
        if turned.closest(DVec3::ZERO).length() > self.radius + rounding {
            Relation::Outside
        } else if turned.corners().into_iter().all(|corner| corner.length() < self.radius - rounding) {
            Relation::Inside
        } else {
            Relation::Undecided
        }
    }

    fn slack(&self, radius: f64) -> f64 {
        4.0 * super::ROUNDING * (self.radius + radius)
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let along = to - from;
        let (a, b) = (along.length_squared(), along.dot(from));
        // Half the chord by the distance of the line from the centre.
        let foot = from - along * (b / a);
        let chord = (self.radius - foot.length()) * (self.radius + foot.length());
        if a > 0.0 && chord > 0.0 {
            let half = (chord / a).sqrt();
            for (share, is_entry) in [(-b / a - half, true), (-b / a + half, false)] {
                if (0.0..=1.0).contains(&share) {
                    crossings.push(Crossing { share, normal: from.lerp(to, share).try_normalize(), is_entry });
                }
            }
        }
    }

    fn contains(&self, point: DVec3) -> bool {
        point.length() <= self.radius * (1.0 + 1e-15)
    }

    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        let normal = point.try_normalize().ok_or(NoNormal { kind: "ball", point, why: "it is the centre" })?;
        Ok(SurfacePoint { position: self.radius * normal, normal, distance: point.length() - self.radius })
    }

    fn samples(&self, _: f64, _: &mut Vec<DVec3>) {}

    fn thickness(&self) -> f64 {
        self.radius
    }

    fn mass_properties(&self, _: f64) -> Result<BoundedMass, MassPropertiesError> {
        Err(MassPropertiesError::MassOrVolume { mass: f64::NAN, volume: f64::NAN })
    }

    fn triangles(&self) -> Triangles {
        Triangles::default()
    }
}

/// A block about the origin, by half its sides.
#[derive(Debug)]
pub struct StandInBlock {
    pub half: DVec3,
}

impl Solid for StandInBlock {
    fn kind(&self) -> &'static str {
        "block"
    }

    fn bounds(&self) -> Bounds {
        Bounds { low: -self.half, high: self.half }
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let rounding = turned.rounding(self.half.max_element());
        let Bounds { low, high } = turned.bounds();
        let own = DVec3::splat(rounding);
        // Along the axes of both; pairs of edges are left out, which only keeps more boxes undecided.
        let is_apart = (low - self.half).max(-self.half - high).max_element() > rounding
            || (0..3).any(|k| {
                let axis = turned.axes.col(k);
                axis.dot(turned.centre).abs() > turned.half[k] + axis.abs().dot(self.half) + 2.0 * rounding
            });
        if is_apart {
            Relation::Outside
        } else if (high + own).cmplt(self.half).all() && (low - own).cmpgt(-self.half).all() {
            Relation::Inside
        } else {
            Relation::Undecided
        }
    }

    fn slack(&self, radius: f64) -> f64 {
        2.0 * radius
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let along = to - from;
        let (mut enter, mut leave) = ((f64::NEG_INFINITY, DVec3::X), (f64::INFINITY, DVec3::X));
        for k in 0..3 {
            let normal = DMat3::IDENTITY.col(k) * along[k].signum();
            let (a, b) = ((-self.half[k] - from[k]) / along[k], (self.half[k] - from[k]) / along[k]);
            if along[k] == 0.0 {
                if from[k].abs() > self.half[k] {
                    return;
                }
                continue;
            }
            if a.min(b) > enter.0 {
                enter = (a.min(b), -normal);
            }
            if a.max(b) < leave.0 {
                leave = (a.max(b), normal);
            }
        }
        if enter.0 < leave.0 {
            for ((share, normal), is_entry) in [(enter, true), (leave, false)] {
                if (0.0..=1.0).contains(&share) {
                    crossings.push(Crossing { share, normal: Some(normal), is_entry });
                }
            }
        }
    }

    fn contains(&self, point: DVec3) -> bool {
        point.abs().cmple(self.half * (1.0 + 1e-15)).all()
    }

    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        let depth = point.abs() - self.half;
        let axis = (1..3).fold(0, |best, k| if depth[k] > depth[best] { k } else { best });
        if (0..3).filter(|&k| depth[k] > 0.0).count() > 1 {
            return Err(NoNormal { kind: "block", point, why: "an edge is near" });
        }
        let mut position = point;
        position[axis] = self.half[axis].copysign(point[axis]);
        let normal = DMat3::IDENTITY.col(axis) * point[axis].signum();
        Ok(SurfacePoint { position, normal, distance: depth[axis] })
    }

    fn samples(&self, _: f64, _: &mut Vec<DVec3>) {}

    fn thickness(&self) -> f64 {
        self.half.min_element()
    }

    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        let volume = 8.0 * self.half.element_product();
        let squares = self.half * self.half;
        let moments = density * volume / 3.0 * (DVec3::splat(squares.element_sum()) - squares);
        MassProperties::of_density(density, volume, DMat3::from_diagonal(moments)).map(exact)
    }

    fn triangles(&self) -> Triangles {
        Triangles::default()
    }
}

/// All points with y ≤ 0.
#[derive(Debug)]
pub struct StandInHalfSpace;

impl Solid for StandInHalfSpace {
    fn kind(&self) -> &'static str {
        "half-space"
    }

    fn bounds(&self) -> Bounds {
        Bounds { low: DVec3::NEG_INFINITY, high: DVec3::new(f64::INFINITY, 0.0, f64::INFINITY) }
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let reach = turned.reach(DVec3::Y) + turned.rounding(0.0);
        if turned.centre.y > reach {
            Relation::Outside
        } else if turned.centre.y < -reach {
            Relation::Inside
        } else {
            Relation::Undecided
        }
    }

    fn slack(&self, _: f64) -> f64 {
        0.0
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        if (from.y > 0.0) != (to.y > 0.0) {
            let share = from.y / (from.y - to.y);
            crossings.push(Crossing { share, normal: Some(DVec3::Y), is_entry: from.y > 0.0 });
        }
    }

    fn contains(&self, point: DVec3) -> bool {
        point.y <= 0.0
    }

    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        Ok(SurfacePoint { position: DVec3::new(point.x, 0.0, point.z), normal: DVec3::Y, distance: point.y })
    }

    fn samples(&self, _: f64, _: &mut Vec<DVec3>) {}

    fn thickness(&self) -> f64 {
        f64::INFINITY
    }

    fn mass_properties(&self, _: f64) -> Result<BoundedMass, MassPropertiesError> {
        Err(MassPropertiesError::MassOrVolume { mass: f64::INFINITY, volume: f64::INFINITY })
    }

    fn triangles(&self) -> Triangles {
        Triangles::default()
    }
}
