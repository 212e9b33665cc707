//! Balls, cylinders, capsules, cones and a rounded box, in closed form, on polyhedra and on each other.
//!
//! What is round touches a plane in one point or along one line, and there the plane is tangent to it: no other direction
//! parts the two. So the expected normals are those of the walls, wherever the point of tangency is inside a wall. On an
//! edge or a tip the tangent plane of the round solid decides alone, as it is the only plane that has the round solid on
//! one side; the expected normal then belongs to no facet. Two round solids have a common tangent plane and nothing else.
//! All but the coin rest, with every wall touched, though not every wall carries.
//!
//! The minimal number of contacts is one for a point and two, the ends, for a line. Flat ends of cylinders and cones have
//! no corners and touch nothing here.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, SQRT_2};

use drystone_contact::shape::{Ball, Capsule, Cone, Cylinder, RoundedBox, Shape};
use drystone_engine::{BodyId, Pose};
use glam::{DQuat, DVec3};

use super::Made;
use super::solids::{Turned, extruded, lattice, of_surface};
use crate::builtin::{self, turned};
use crate::cases::DENSITY;
use crate::extended::hexahedra::solid;
use crate::extended::{STONE, fixed, only_pair, saddle};
use crate::scene::{BodyProblem, SceneBody};
use crate::solids::cuboid;
use crate::truth::{ExpectedNormal, PairTruth};

/// The unit vector along (x, y, 0).
fn unit(x: f64, y: f64) -> DVec3 {
    DVec3::new(x, y, 0.0).normalize()
}

/// A round body at rest with its centre of mass and its axis y in these places.
fn resting(name: &str, shape: impl Into<Shape>, centre: DVec3, orientation: DQuat) -> Result<SceneBody, BodyProblem> {
    let pose = Pose::from_parts(centre, orientation);
    builtin::moving(name, &shape.into(), DENSITY, pose, DVec3::ZERO, STONE)
}

/// Turns y to z.
fn along_z() -> DQuat {
    turned(DVec3::X, FRAC_PI_2)
}

/// A ball in a groove whose walls rise 1 to 2 and 2 to 1. They are at right angles, so that the centre is r (m + n) from
/// the bottom of the groove, m and n the normals of the walls. Both walls carry: 2 contacts.
pub fn ball_in_groove() -> Made {
    const RADIUS: f64 = 0.4;
    let section = [(-1.0, -1.0), (1.5, -1.0), (1.5, 0.6), (1.2, 0.6), (0.0, 0.0), (-0.3, 0.6), (-1.0, 0.6)];
    let normals = vec![unit(-1.0, 2.0), unit(2.0, 1.0)];
    let centre = RADIUS * (normals[0] + normals[1]);
    let groove = fixed("groove", &extruded(&section, (-0.1, -0.6), 0.8)?)?;
    Ok((vec![groove, resting("ball", Ball::new(RADIUS)?, centre, DQuat::IDENTITY)?], only_pair(normals, 2)))
}

/// A ball in a funnel of five walls of 45°. Their number is odd, so that no two walls face each other; each is touched in
/// one point within it, and all five carry: 5 contacts.
pub fn ball_in_funnel() -> Made {
    const RADIUS: f64 = 0.5;
    const HOLE: f64 = 0.2;
    let funnel = Turned { sides: 5 };
    let cells = funnel.rings(&[[(HOLE, 0.0), (0.9, 0.0), (0.9, 0.4), (HOLE + 0.4, 0.4)]]);
    let normals = funnel.all_outward().map(|outward| (DVec3::Y - outward).normalize()).collect();
    // Seen from the centre, a wall is as far away as the radius.
    let centre = DVec3::Y * (RADIUS * SQRT_2 - HOLE);
    let bodies = vec![fixed("funnel", &solid(&cells)?)?, resting("ball", Ball::new(RADIUS)?, centre, DQuat::IDENTITY)?];
    Ok((bodies, only_pair(normals, 5)))
}

/// A ball on the two edges of a slot that is 6 wide where the ball is 10: from the edges to the centre it is 3 aside and
/// 4 up. Of all planes through an edge only the one across that way has the whole ball above it, and it lies between top
/// and wall of the slot: 2 contacts with the normals (±3, 4, 0)/5, which no facet has.
pub fn ball_over_slot() -> Made {
    let cuts: [&[f64]; 3] = [&[-1.0, -0.3, 0.3, 1.0], &[-1.0, -0.5, 0.0], &[-0.8, 0.8]];
    let slot = fixed("slot", &lattice(cuts, |[i, j, _]| [i, j] != [1, 1])?)?;
    let ball = resting("ball", Ball::new(0.5)?, DVec3::Y * 0.4, DQuat::IDENTITY)?;
    Ok((vec![slot, ball], only_pair(vec![unit(3.0, 4.0), unit(-3.0, 4.0)], 2)))
}

/// A ball in a socket of thirteen facets that are all tangent to it: the floor, six walls of 45° and six upright ones.
/// The upright walls have three directions between them: 10 expected normals, 13 contacts.
pub fn ball_in_socket() -> Made {
    const RADIUS: f64 = 0.5;
    let hexagon = Turned { sides: 6 };
    // Where the walls of 45° begin and end.
    let (floor, corner) = (RADIUS * SQRT_2 - RADIUS, RADIUS - RADIUS * SQRT_2);
    let mut cells = hexagon.rings(&[
        [(floor, -0.8), (0.9, -0.8), (0.9, -RADIUS), (floor, -RADIUS)],
        [(floor, -RADIUS), (0.9, -RADIUS), (0.9, corner), (RADIUS, corner)],
        [(RADIUS, corner), (0.9, corner), (0.9, 0.3), (RADIUS, 0.3)],
    ]);
    cells.extend(hexagon.cores(&[[(floor, -0.8), (floor, -RADIUS)]]));
    let oblique = hexagon.all_outward().map(|outward| (DVec3::Y - outward).normalize());
    let normals = oblique.chain((0..3).map(|side| hexagon.outward(side))).chain([DVec3::Y]).collect();
    let ball = resting("ball", Ball::new(RADIUS)?, DVec3::ZERO, DQuat::IDENTITY)?;
    Ok((vec![fixed("socket", &solid(&cells)?)?, ball], only_pair(normals, 13)))
}

/// A cylinder across the ridges of a saddle, its axis above the valley, which falls away from under it. It touches each
/// ridge in one point of its side. The common normal is across ridge and axis, (±a, 1, 0) with the slope a of the ridge,
/// halfway between the facets beside the ridge: 2 contacts with the normals of edges, the edges being convex and between
/// concave valleys.
pub fn cylinder_on_saddle() -> Made {
    const RADIUS: f64 = 0.4;
    let rise = (1.0 + saddle::SLOPE * saddle::SLOPE).sqrt();
    let saddle = fixed("saddle", &solid(&saddle::columns(1.0, -1.0))?)?;
    let cylinder = resting("cylinder", Cylinder::new(RADIUS, 0.5)?, DVec3::Y * (RADIUS * rise), along_z())?;
    let normals = vec![unit(saddle::SLOPE, 1.0), unit(-saddle::SLOPE, 1.0)];
    Ok((vec![saddle, cylinder], only_pair(normals, 2)))
}

/// A cylinder on another, crossing it at an angle (rad) about y.
fn crossing(angle: f64) -> Made {
    let along_x = turned(DVec3::Z, FRAC_PI_2);
    let lower = Pose::from_parts(DVec3::NEG_Y * 0.3, along_x);
    let lower = builtin::fixed("lower cylinder", &Cylinder::new(0.3, 1.0)?.into(), lower, STONE)?;
    let upper = resting("upper cylinder", Cylinder::new(0.2, 1.0)?, DVec3::Y * 0.2, turned(DVec3::Y, angle) * along_x)?;
    Ok((vec![lower, upper], only_pair(vec![DVec3::Y], 1)))
}

/// A cylinder across another at 60°. Both sides have the tangent plane across y where the axes cross: 1 contact.
pub fn cylinder_across_cylinder() -> Made {
    crossing(FRAC_PI_3)
}

/// The same at 30 mrad. At their ends the axes are 3 cm aside of each other and the sides 0.9 mm apart, less than the
/// envelope of most methods; yet the cylinders touch in one point alone: 1 contact. Who takes the sides for parallel
/// lines has two, with gaps at the ends.
pub fn cylinders_nearly_parallel() -> Made {
    crossing(0.03)
}

/// A capsule in a trough whose floor is as wide as makes floor and both walls of 45° tangent at once: three lines, 6
/// contacts. The floor carries; the walls touch without force.
pub fn capsule_in_trough() -> Made {
    const RADIUS: f64 = 0.3;
    let half = RADIUS * (SQRT_2 - 1.0);
    let rim = half + 0.4;
    let section =
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 0.4), (rim, 0.4), (half, 0.0), (-half, 0.0), (-rim, 0.4), (-1.0, 0.4)];
    let trough = fixed("trough", &extruded(&section, (0.0, -0.6), 1.0)?)?;
    let capsule = resting("capsule", Capsule::new(RADIUS, 0.4)?, DVec3::Y * RADIUS, along_z())?;
    Ok((vec![trough, capsule], only_pair(vec![DVec3::Y, unit(1.0, 1.0), unit(-1.0, 1.0)], 6)))
}

/// A cone, tip down, in a funnel of six walls that are as steep as it is: six lines, from the hole of the funnel to its
/// rim, each with two ends: 12 contacts. The tip is in the hole, the base above the rim.
pub fn cone_in_funnel() -> Made {
    const HEIGHT: f64 = 0.5;
    let funnel = Turned { sides: 6 };
    let cells = funnel.rings(&[[(0.1, 0.1), (0.8, 0.1), (0.8, 0.4), (0.4, 0.4)]]);
    let normals = funnel.all_outward().map(|outward| (DVec3::Y - outward).normalize()).collect();
    let tip_down = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    let cone = resting("cone", Cone::new(HEIGHT, HEIGHT)?, DVec3::Y * (0.75 * HEIGHT), tip_down)?;
    Ok((vec![fixed("funnel", &solid(&cells)?)?, cone], only_pair(normals, 12)))
}

/// A box with rounded edges on a floor, against a wall of the same body. Its flat faces end where the rounding begins, so
/// that the two rectangles have no place in common, and the concave edge is touched by nothing: 8 contacts.
pub fn rounded_box_in_corner() -> Made {
    let cuts: [&[f64]; 3] = [&[-2.0, 0.0, 0.5], &[-0.5, 0.0, 2.0], &[-1.5, 1.5]];
    let corner = fixed("L", &lattice(cuts, |[i, j, _]| [i, j] != [0, 1])?)?;
    let rounded = RoundedBox::new(DVec3::splat(0.3), 0.1)?;
    let rounded = resting("rounded box", rounded, DVec3::new(-0.4, 0.4, 0.0), DQuat::IDENTITY)?;
    Ok((vec![corner, rounded], only_pair(vec![DVec3::X, DVec3::Y], 8)))
}

/// A thin cylinder on a floor, its axis 1.2 rad beside y: it stands on the lowest point of a rim and falls over slowly. A
/// rim turns away from that point to both sides: 1 contact, y.
pub fn tilted_coin() -> Made {
    const RADIUS: f64 = 0.5;
    const HALF: f64 = 0.02;
    const TILT: f64 = 1.2;
    let floor = of_surface(cuboid(DVec3::new(-1.0, -0.5, -1.0), DVec3::new(1.0, 0.0, 1.0)))?;
    let centre = DVec3::Y * (RADIUS * libm::sin(TILT) + HALF * libm::cos(TILT));
    let coin = resting("coin", Cylinder::new(RADIUS, HALF)?, centre, turned(DVec3::Z, TILT))?;
    Ok((vec![fixed("floor", &floor)?, coin], only_pair(vec![DVec3::Y], 1)))
}

/// A ball on three larger ones that do not touch each other: in each of three pairs 1 contact along the line between the
/// centres.
pub fn ball_on_three_balls() -> Made {
    const LOWER: f64 = 0.5;
    const UPPER: f64 = 0.4;
    // From the axis to the middles of the lower balls.
    const ASIDE: f64 = 0.7;
    let height = ((LOWER + UPPER) * (LOWER + UPPER) - ASIDE * ASIDE).sqrt();
    let (mut bodies, mut pairs) = (Vec::new(), Vec::new());
    for (k, outward) in (Turned { sides: 3 }).all_outward().enumerate() {
        let (place, shape) = (Pose::from_translation(outward * ASIDE), Ball::new(LOWER)?.into());
        bodies.push(builtin::fixed(&format!("lower ball {}", k + 1), &shape, place, STONE)?);
        let normals = vec![ExpectedNormal::from((DVec3::Y * height - outward * ASIDE).normalize())];
        pairs.push(PairTruth { a: BodyId::new(k as u32), b: BodyId::new(3), normals, minimum: 1, area: None });
    }
    bodies.push(resting("upper ball", Ball::new(UPPER)?, DVec3::Y * height, DQuat::IDENTITY)?);
    Ok((bodies, pairs))
}
