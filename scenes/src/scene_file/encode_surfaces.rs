//! From a scene of deformable surfaces to the text of a scene file.

use std::ops::Range;

use drystone_engine::simulator::asynchronous::{ContactLaw, DeformableSurface, SurfaceMaterial};
use glam::DVec3;

use super::SCHEMA;
use super::encode::{entry, list, number, numbers, rows, string};
use super::error::{SceneFileError, SceneFileProblem};
use crate::asynchronous::{OpenedSurfaces, SurfaceScene};
use drystone_contact::sorting::CompactSort;

const HEADER: &str = "# A scene of deformable surfaces of Drystone, with every number exact. The format is described in docs/scene-files.md.\n";

/// When a vertex gets which velocities: times (s) and m/s, in their order.
type Keys = Vec<(f64, DVec3)>;

/// The text. Connected parts become surfaces of their own, as far as the order of the vertices allows.
pub fn text(opened: &OpenedSurfaces) -> Result<String, SceneFileError> {
    let OpenedSurfaces { name, title, time_step, scene, .. } = opened;
    let surface = &scene.surface;
    if !surface.bodies().is_empty() {
        return Err(unkept("it has solids (affine bodies or obstacles), which `[[surface]]` tables do not describe"));
    }
    if !surface.membranes().is_empty() {
        return Err(unkept(
            "it has triangles of constant strain in place of springs, which scene files do not describe",
        ));
    }
    let mut text = String::from(HEADER);
    for (key, value) in [
        ("schema", string(SCHEMA)),
        ("name", string(name)),
        ("title", string(title)),
        ("time_step", number(*time_step)),
        ("duration", number(scene.duration)),
        ("gravity", numbers(&scene.gravity.to_array())),
        ("contact", contact(&scene.law)),
    ] {
        text += &entry(key, &value);
    }
    let keys = keys(scene);
    let mut rebuilt = DeformableSurface::default();
    for (count, group) in (1..).zip(groups(surface)) {
        text += &one(scene, count, group, &keys, &mut rebuilt)?;
    }
    // Masses, springs and hinges follow from the materials that were found.
    if rebuilt != *surface {
        return Err(unkept("its masses or forces are not those of one material for each surface"));
    }
    Ok(text)
}

fn unkept(why: &'static str) -> SceneFileError {
    SceneFileError::whole(SceneFileProblem::NotOfSurfaces { why })
}

fn contact(law: &ContactLaw) -> String {
    let ContactLaw { thickness, stiffness, speed, restitution, friction, most_layers } = *law;
    let values = [
        ("thickness", number(thickness)),
        ("stiffness", number(stiffness)),
        ("speed", number(speed)),
        ("restitution", number(restitution)),
        ("friction", number(friction)),
        ("most_layers", most_layers.to_string()),
    ];
    let keys = values.map(|(key, value)| format!("{key} = {value}"));
    format!("{{ {} }}", keys.join(", "))
}

/// Of each vertex, of several at one time the last, and none for the rest at the start that goes without saying.
fn keys(scene: &SurfaceScene) -> Vec<Keys> {
    let mut keys = vec![Keys::new(); scene.surface.positions().len()];
    let mut in_order: Vec<_> = scene.velocities.iter().collect();
    in_order.compact_sort_by(|a, b| a.time.total_cmp(&b.time));
    for key in in_order {
        for &v in &key.vertices {
            let keys = &mut keys[v as usize];
            keys.pop_if(|(time, _)| *time == key.time);
            keys.push((key.time, key.velocity));
        }
    }
    for keys in &mut keys {
        if keys.first().is_some_and(|key| *key == (0.0, DVec3::ZERO)) {
            keys.remove(0);
        }
    }
    keys
}

/// Ranges of vertices such that no triangle has vertices of two, as short as can be.
fn groups(surface: &DeformableSurface) -> Vec<Range<u32>> {
    let count = surface.positions().len() as u32;
    // Of each vertex, the last one that it has a triangle with.
    let mut last: Vec<u32> = (0..count).collect();
    for corners in surface.triangles() {
        let [low, high] = [corners.iter().min(), corners.iter().max()].map(|v| v.copied().unwrap_or_default());
        last[low as usize] = last[low as usize].max(high);
    }
    let (mut groups, mut first, mut end) = (Vec::new(), 0, 0);
    for (v, last) in (0..).zip(last) {
        end = end.max(last);
        if v == end {
            groups.push(first..v + 1);
            (first, end) = (v + 1, v + 1);
        }
    }
    groups
}

/// The table of a group, which is added to `rebuilt` as reading the table would.
fn one(
    scene: &SurfaceScene,
    count: usize,
    group: Range<u32>,
    keys: &[Keys],
    rebuilt: &mut DeformableSurface,
) -> Result<String, SceneFileError> {
    let of = group.start as usize..group.end as usize;
    let points = &scene.surface.positions()[of.clone()];
    let triangles = scene.surface.triangles().iter().filter(|corners| group.contains(&corners[0]));
    let triangles: Vec<[u32; 3]> = triangles.map(|corners| corners.map(|v| v - group.start)).collect();
    let mut text = String::from("\n[[surface]]\n");
    if triangles.is_empty() {
        let mass = scene.surface.masses()[of.start];
        text += &entry("name", &string(&format!("particle {count}")));
        text += &entry("particle", &number(mass));
        text += &entry("position", &numbers(&points[0].to_array()));
        rebuilt.append(&DeformableSurface::particle(points[0], mass)?);
    } else {
        let made = material(&scene.surface, points, &triangles, &group)?;
        let SurfaceMaterial { area_density, stretching, bending, damping } = made;
        let values =
            [("area_density", area_density), ("stretching", stretching), ("bending", bending), ("damping", damping)];
        let values = values.map(|(key, value)| format!("{key} = {}", number(value))).join(", ");
        text += &entry("name", &string(&format!("surface {count}")));
        text += &entry("material", &format!("{{ {values} }}"));
        text += &rows("vertices", points.iter().map(|p| numbers(&p.to_array())));
        text += &rows("triangles", triangles.iter().map(|corners| format!("{corners:?}")));
        rebuilt.append(&DeformableSurface::new(points.to_vec(), &triangles, &made)?);
    }
    Ok(text + &motion(scene, group, keys)?)
}

/// What the masses and forces of a group come from. Sums round, so that numbers of few digits are tried first.
fn material(
    surface: &DeformableSurface,
    points: &[DVec3],
    triangles: &[[u32; 3]],
    group: &Range<u32>,
) -> Result<SurfaceMaterial, SceneFileError> {
    let masses = &surface.masses()[group.start as usize..group.end as usize];
    let area: f64 = triangles.iter().map(|corners| corners.map(|v| points[v as usize])).map(area).sum();
    let spring = surface.springs().iter().find(|spring| group.contains(&spring.ends[0]));
    let (stretching, damping) = spring.map_or((0.0, 0.0), |spring| (spring.stiffness, spring.damping));
    let made = |material: SurfaceMaterial| DeformableSurface::new(points.to_vec(), triangles, &material);
    let mut material = SurfaceMaterial { area_density: 0.0, stretching, bending: 0.0, damping };
    for area_density in candidates(masses.iter().sum::<f64>() / area) {
        material.area_density = area_density;
        if made(material)?.masses() == masses {
            break;
        }
    }
    let hinges = || surface.hinges().iter().filter(|hinge| group.contains(&hinge.vertices[0])).map(|h| h.stiffness);
    let unit = made(SurfaceMaterial { bending: 1.0, ..material })?;
    if let (Some(stiffness), Some(of_one)) = (hinges().next(), unit.hinges().first()) {
        for bending in candidates(stiffness / of_one.stiffness) {
            material.bending = bending;
            if made(material)?.hinges().iter().map(|hinge| hinge.stiffness).eq(hinges()) {
                break;
            }
        }
    }
    Ok(material)
}

/// The number with few digits, with more, and as it is.
fn candidates(value: f64) -> impl Iterator<Item = f64> {
    [8, 11, 14].into_iter().map(move |digits| format!("{value:.digits$e}").parse().unwrap_or(value)).chain([value])
}

fn area([a, b, c]: [DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

/// How a group begins, and how its prescribed vertices move.
fn motion(scene: &SurfaceScene, group: Range<u32>, keys: &[Keys]) -> Result<String, SceneFileError> {
    let mut is_prescribed = vec![false; group.len()];
    let here = scene.prescribed.iter().filter(|v| group.contains(v));
    here.for_each(|v| is_prescribed[(v - group.start) as usize] = true);
    // Those that move alike, in the order of the first of them.
    let mut alike: Vec<(&Keys, Vec<u32>)> = Vec::new();
    let mut begins = None;
    for (v, is_prescribed) in (0..).zip(is_prescribed) {
        let keys = &keys[(group.start + v) as usize];
        if is_prescribed {
            match alike.iter_mut().find(|(known, _)| *known == keys) {
                Some((_, vertices)) => vertices.push(v),
                None => alike.push((keys, vec![v])),
            }
            continue;
        }
        let velocity = keys.last().map_or(DVec3::ZERO, |(_, velocity)| *velocity);
        if keys.iter().any(|(time, _)| *time > 0.0) || begins.is_some_and(|known| known != velocity) {
            return Err(unkept(
                "vertices that forces move get velocities of their own, or after the start, and a surface has one \
                 `velocity`, at the start",
            ));
        }
        begins = Some(velocity);
    }
    let mut text = String::new();
    if let Some(velocity) = begins.filter(|velocity| *velocity != DVec3::ZERO) {
        text += &entry("velocity", &numbers(&velocity.to_array()));
    }
    for (keys, vertices) in alike {
        text += "\n[[surface.prescribed]]\n";
        if vertices.len() < group.len() {
            text += &entry("vertices", &list(&vertices.iter().map(u32::to_string).collect::<Vec<_>>()));
        }
        let key = |(time, velocity): &(f64, DVec3)| {
            format!("{{ time = {}, velocity = {} }}", number(*time), numbers(&velocity.to_array()))
        };
        if !keys.is_empty() {
            text += &rows("key", keys.iter().map(key));
        }
    }
    Ok(text)
}
