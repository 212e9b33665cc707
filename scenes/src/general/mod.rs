//! Scenes with general solids: balls, tori, combinations, polygon soups, implicit and parametric surfaces.
//!
//! Bodies are of stone, in metres, with the gravity of the suite; fixed bodies come first. Which contacts there should be is
//! not known, so that the truth of these scenes is empty.

use drystone_contact::Pose;
use drystone_contact::shape::{Shape, ShapeError};
use drystone_contact::solid::{Description, Part};
use drystone_engine::MaterialId;
use glam::{DQuat, DVec3};

use crate::builtin;
use crate::cases::{DENSITY, materials};
use crate::scene::{BodyProblem, Placement, Scene, SceneBody};
use crate::truth::Truth;

mod ball_on_ball;
mod bezier_slide;
mod cup_and_star;
mod polygon_soup;
mod torus_on_peg;
mod wheel_train;

/// A scene with general solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum General {
    /// [`ball_on_ball`]
    BallOnBall,
    /// [`torus_on_peg`]
    TorusOnPeg,
    /// [`cup_and_star`]
    CupAndStar,
    /// [`polygon_soup`]
    PolygonSoup,
    /// [`wheel_train`]
    WheelTrain,
    /// [`bezier_slide`]
    BezierSlide,
}

impl General {
    /// One line for people.
    pub fn title(self) -> &'static str {
        match self {
            General::BallOnBall => "a ball rolls off a larger one",
            General::TorusOnPeg => "a torus falls over a peg and comes to rest on its base",
            General::CupAndStar => "a tumbling star falls into a cup",
            General::PolygonSoup => "a spiked polyhedron falls into an open soup of triangles that touch each other",
            General::WheelTrain => "sets of two wheels on an axle roll over hills given by a formula",
            General::BezierSlide => "a marble runs down a Bézier slide",
        }
    }

    /// The scene.
    ///
    /// # Errors
    /// None that the sizes of these scenes could have; see [`BodyProblem`].
    pub fn scene(self) -> Result<Scene, BodyProblem> {
        let bodies = match self {
            General::BallOnBall => ball_on_ball::bodies(),
            General::TorusOnPeg => torus_on_peg::bodies(),
            General::CupAndStar => cup_and_star::bodies(),
            General::PolygonSoup => polygon_soup::bodies(),
            General::WheelTrain => wheel_train::bodies(),
            General::BezierSlide => bezier_slide::bodies(),
        }?;
        let (materials, _, _) = materials()?;
        Ok(Scene::of_suite([self.name(), self.title()], bodies, materials, &Truth { pairs: Vec::new() }))
    }
}

drystone_contact::named!(General, "scene":
    BallOnBall = "ball-on-ball",
    TorusOnPeg = "torus-on-peg",
    CupAndStar = "cup-and-star",
    PolygonSoup = "polygon-soup",
    WheelTrain = "wheel-train",
    BezierSlide = "bezier-slide",
);

/// Stone, the first material of the suite.
const STONE: MaterialId = MaterialId::new(0);

/// A closed form.
fn primitive(kind: &str, dimensions: &[f64]) -> Description {
    Description::Primitive { kind: kind.into(), dimensions: dimensions.to_vec() }
}

/// A part at a place (m), turned by an angle (rad) about a unit axis.
fn part(solid: Description, position: [f64; 3], axis: DVec3, angle: f64) -> Part {
    Part { solid, position, rotation: turned(axis, angle).to_array() }
}

/// A part at a place (m).
fn at(solid: Description, position: [f64; 3]) -> Part {
    Part { solid, position, rotation: DQuat::IDENTITY.to_array() }
}

/// The rotation by an angle (rad) about a unit axis, the same bits on every machine.
fn turned(axis: DVec3, angle: f64) -> DQuat {
    let [x, y, z] = (axis * libm::sin(0.5 * angle)).to_array();
    DQuat::from_xyzw(x, y, z, libm::cos(0.5 * angle))
}

fn shape(solid: &Description) -> Result<Shape, BodyProblem> {
    Ok(solid.build().map_err(ShapeError::from)?.into())
}

/// A body that stays where it was drawn.
fn fixed(name: &str, solid: &Description) -> Result<SceneBody, BodyProblem> {
    builtin::fixed(name, &shape(solid)?, Pose::IDENTITY, STONE)
}

/// A body that moves: from a pose, with velocities in m/s and rad/s.
fn moving(
    name: &str,
    solid: &Description,
    pose: Pose,
    [velocity, angular_velocity]: [DVec3; 2],
) -> Result<SceneBody, BodyProblem> {
    let placement = Placement { pose, velocity, angular_velocity, density: DENSITY, is_fixed: false, material: STONE };
    SceneBody::from_shape(name, &shape(solid)?, &placement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_nothing_is_in_each_other() {
        for scene in General::ALL {
            assert_eq!(scene.name().parse(), Ok(scene));
            let made = scene.scene().unwrap();
            assert_eq!(made.name, scene.name());
            for (k, body) in made.bodies.iter().enumerate().skip(1) {
                let fixed = &made.bodies[0];
                let (own, other) = (body.shape.general().unwrap(), fixed.shape.general().unwrap());
                for &point in own.points().points() {
                    let place = body.body.pose().transform_point(point);
                    let place = fixed.body.pose().inverse_transform_point(place);
                    assert!(!other.solid().contains(place), "{scene}: body {k}");
                }
            }
        }
        assert!("moebius".parse::<General>().unwrap_err().to_string().contains("torus-on-peg"));
    }
}
