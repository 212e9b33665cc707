//! Two shapes: contacts by every method, and queries. All that is answered is finite, the same when asked again, and mirrored when the
//! shapes are exchanged where the method promises it.

use drystone_engine::Pose;
use drystone_engine::contact::generator::{Placed, methods};
use drystone_engine::contact::query::{ShapeMotion, cast_shape, closest_points, contains_point, overlaps};
use drystone_engine::contact::{Contact, Twist};
use glam::DVec3;

use crate::random::{Form, Random, size};

#[test]
fn contacts_of_any_shapes_are_sound() {
    let methods = methods::all();
    crate::run("pairs", 300, |seed| {
        let random = &mut Random::new(seed);
        let [a, b] = [(); 2].map(|()| Form::random(random, seed % 10 == 0).solid(1000.0));
        let (Ok(a), Ok(b)) = (a, b) else { return Ok(()) };
        let scale = size(&a.shape).max(size(&b.shape));
        let first = if random.is(0.5) { Pose::IDENTITY } else { random.pose(scale) };
        let second = random.pose(scale);
        let second = Pose::from_parts(first.translation + second.translation, second.rotation);
        let twist = Twist { linear: random.vector(1.0), angular: random.vector(1.0) };
        let placed = [
            Placed { shape: &a.shape, pose: first, twist: Twist::default() },
            Placed { shape: &b.shape, pose: second, twist },
        ];
        let far = first.translation.abs().max(second.translation.abs()).max_element() + 4.0 * scale;
        for method in &methods {
            let generator = method.generator();
            let is_served = [&a, &b].iter().all(|solid| generator.prepare(&solid.shape).is_ok());
            let name = method.name();
            match generator.contacts(&placed[0], &placed[1]) {
                Ok(contacts) => {
                    if !is_served {
                        return Err(format!("{name} finds contacts of a shape that it refuses"));
                    }
                    for contact in &contacts {
                        sound(contact, far).map_err(|fault| format!("{name}: {fault}: {contact:?}"))?;
                    }
                    if generator.contacts(&placed[0], &placed[1]).as_ref() != Ok(&contacts) {
                        return Err(format!("{name} does not answer twice alike"));
                    }
                }
                Err(error) if error.to_string().len() > 1000 => return Err(format!("{name}: a long message")),
                Err(_) => {}
            }
        }
        let shapes = [&*a.shape, &*b.shape];
        queries(random, shapes, [&first, &second])
    });
}

fn sound(contact: &Contact, far: f64) -> Result<(), &'static str> {
    let Contact { position, normal, gap, .. } = contact;
    if !(position.is_finite() && normal.is_finite() && gap.is_finite()) {
        return Err("not finite");
    }
    if (normal.length() - 1.0).abs() > 1e-6 {
        return Err("a normal that is no unit vector");
    }
    if position.abs().max_element() > 10.0 * far || gap.abs() > 10.0 * far {
        return Err("far away from both bodies");
    }
    Ok(())
}

fn queries(
    random: &mut Random,
    shapes: [&drystone_engine::contact::shape::Shape; 2],
    poses: [&Pose; 2],
) -> Result<(), String> {
    let near = closest_points(shapes, poses, f64::INFINITY).map(|found| found.distance());
    let overlap = overlaps(shapes, poses);
    if let (Ok(Some(distance)), Ok(overlap)) = (&near, &overlap) {
        let far = poses.map(|p| p.translation.length()).iter().sum::<f64>() + size(shapes[0]) + size(shapes[1]);
        if !(distance.is_finite() && *distance >= 0.0) {
            return Err(format!("a distance of {distance} m"));
        }
        if *overlap && *distance > 1e-6 * far {
            return Err(format!("shapes that overlap are {distance} m apart"));
        }
    }
    let motion = ShapeMotion { translation: random.vector(3.0), rotation: random.vector(1.0) };
    if let Ok(Some(hit)) = cast_shape(shapes, poses, &motion, 1e-6)
        && !(0.0..=1.0).contains(&hit.fraction)
    {
        return Err(format!("a cast that hits after {} of the way", hit.fraction));
    }
    let point = poses[0].translation + random.vector(2.0);
    // Twice the same.
    if contains_point(shapes[0], poses[0], point) != contains_point(shapes[0], poses[0], point) {
        return Err("a point is inside and is not".into());
    }
    let hostile = Pose { translation: DVec3::new(f64::NAN, 0.0, 0.0), ..*poses[1] };
    if closest_points(shapes, [poses[0], &hostile], 1.0).is_ok() || overlaps(shapes, [poses[0], &hostile]).is_ok() {
        return Err("a pose that is not finite was taken".into());
    }
    Ok(())
}
