//! A picture: bodies from the farthest to the nearest, each with the contacts on it.

use drystone_contact::Pose;
use drystone_engine::BodyId;
use glam::{DVec2, DVec3};
use maud::{Markup, html};

use super::Picture;
use super::apart::{Bounds, layout};
use super::camera::{Camera, Frame};
use super::facets::facets_of;
use super::marks::{Mark, is_right, marks};
use crate::chart::svg;
use crate::number::coordinate;
use drystone_scenes::truth::TruthKind;

/// More contacts than these are thinned out.
pub const MOST_CONTACTS: usize = 1500;

/// A picture and what is on it.
pub struct Drawn {
    /// The SVG.
    pub svg: Markup,
    /// The class of its figure: tower, wide or plain.
    pub class: &'static str,
    /// Contacts with an expected normal.
    pub right: usize,
    /// All contacts.
    pub contacts: usize,
    /// How many of them are drawn.
    pub drawn: usize,
}

/// Draws contacts, judged by a truth with a tolerance.
pub fn draw(picture: &Picture<'_>, truth: TruthKind, tolerance: f64, title: &str) -> Drawn {
    let scene = picture.scene;
    let own: Vec<Pose> = scene.bodies.iter().map(|b| b.body.pose()).collect();
    let poses = if picture.poses.len() == own.len() { picture.poses } else { &own };
    let truth = scene.truth(truth).at(poses);
    let vertices =
        |k: usize| scene.bodies[k].shape.triangles().vertices.into_iter().map(move |v| poses[k].transform_point(v));
    let bounds: Vec<Bounds> = (0..poses.len()).map(|k| Bounds::around(vertices(k))).collect();
    let layout = layout(scene, &bounds);
    let camera = Camera::new(if layout.is_tower { 20.0 } else { 28.0 }, if layout.is_tower { 35.0 } else { 24.0 });
    let shifted = |k: usize, p: DVec3| camera.project(p + layout.shifts[k]);

    // The frame: the bodies that are not ground, and where they stand on it. Not the contacts: all methods are drawn alike,
    // and stray contacts do not make the rest small.
    let is_on =
        |k: usize, ground: usize| bounds[k].low.y < bounds[ground].high.y + 0.05 * (bounds[k].high - bounds[k].low).y;
    let others = |ground: usize| (0..poses.len()).filter(move |&k| k != ground);
    let stands = (0..poses.len()).flat_map(|ground| others(ground).map(move |k| (k, ground)));
    let stands = stands.filter(|&(k, ground)| layout.is_ground[ground] && !layout.is_ground[k] && is_on(k, ground));
    let feet = stands.flat_map(|(k, ground)| bounds[k].feet().map(|p| (ground, p)));
    let of_bodies = (0..poses.len()).filter(|&k| !layout.is_ground[k]).flat_map(|k| vertices(k).map(move |v| (k, v)));
    let frame = Frame::around(of_bodies.chain(feet).map(|(k, p)| shifted(k, p)));
    let shown: Vec<(usize, &drystone_engine::ContactBetween)> = thinned(picture.contacts.len())
        .map(|i| &picture.contacts[i])
        .filter(|c| c.a.index().max(c.b.index()) < poses.len())
        .map(|c| (lower(c.a, c.b, &bounds, &layout.shifts, &camera), c))
        .collect();
    let frame = frame.unwrap_or(Frame { low: DVec2::ZERO, high: DVec2::ONE });
    let frame = frame.with_margin(0.05 * frame.size().length().max(1e-9));
    let class = match frame.size() {
        size if layout.is_tower && size.y > 2.0 * size.x => "tower",
        size if poses.len() > 20 && size.x > size.y => "wide",
        _ => "plain",
    };
    let width = match class {
        "tower" => 150.0,
        "wide" => 620.0,
        _ => 300.0,
    };
    // Plain pictures are as high as they are wide at most.
    let scale = match class {
        "plain" => width / frame.size().max_element(),
        _ => width / frame.size().x,
    };
    let size = DVec2::new(width, (scale * frame.size().y).max(0.5 * width.min(300.0)));
    let offset = 0.5 * (size - scale * frame.size());
    let place = |k: usize, p: DVec3| offset + scale * (shifted(k, p) - frame.low);
    let length = if class == "wide" { 11.0 } else { 17.0 } / scale;

    let mut order: Vec<usize> = (0..poses.len()).collect();
    let nearness = |k: usize| {
        let middle = 0.5 * (bounds[k].low + bounds[k].high) + layout.shifts[k];
        if layout.is_ground[k] { f64::NEG_INFINITY } else { camera.nearness(middle) }
    };
    order.sort_by(|&a, &b| nearness(a).total_cmp(&nearness(b)));
    let (mut parts, mut right) = (Vec::new(), 0);
    for k in order {
        parts.push(solid(picture, k, &poses[k], &camera, &|p| place(k, p)));
        let on_it: Vec<Mark> = shown
            .iter()
            .filter(|(on, _)| *on == k)
            .map(|(_, c)| {
                let (p, n) = (c.contact.position, c.contact.normal.normalize_or_zero());
                let is_right = is_right(c, &truth, tolerance);
                // Normals point away from the body on which they are drawn.
                let outward = if c.a.index() == k { n } else { -n };
                Mark { at: place(k, p), tip: place(k, p + length * outward), is_right }
            })
            .collect();
        parts.push(marks(&on_it));
    }
    for c in picture.contacts {
        right += usize::from(is_right(c, &truth, tolerance));
    }
    let contacts = picture.contacts.len();
    let description =
        format!("{contacts} contacts on the bodies of {}, moved apart; {right} have an expected normal", scene.name);
    let svg =
        svg(size.x, size.y, &format!("picture {class}"), title, &description, &html! { @for part in parts { (part) } });
    Drawn { svg, class, right, contacts, drawn: shown.len() }
}

/// The indices of evenly chosen contacts, all of them if they are not too many.
fn thinned(count: usize) -> impl Iterator<Item = usize> {
    let wanted = count.min(MOST_CONTACTS);
    (0..wanted).map(move |k| k * count / wanted)
}

/// On which body of a pair its contacts are drawn: the one that is farther from the eye, whose side one sees.
fn lower(a: BodyId, b: BodyId, bounds: &[Bounds], shifts: &[DVec3], camera: &Camera) -> usize {
    let (a, b) = (a.index(), b.index());
    // How far they were moved apart tells which side of each is towards the other.
    let apart = camera.nearness(shifts[b] - shifts[a]);
    let middle = |k: usize| 0.5 * (bounds[k].low + bounds[k].high);
    let between = if apart.abs() > 1e-9 { apart } else { camera.nearness(middle(b) - middle(a)) };
    if between > 0.0 { a } else { b }
}

/// The faces of a body that look to the eye, from the farthest to the nearest.
fn solid(picture: &Picture<'_>, k: usize, pose: &Pose, camera: &Camera, place: &dyn Fn(DVec3) -> DVec2) -> Markup {
    let mut seen: Vec<(f64, f64, String)> = Vec::new();
    for facet in facets_of(&picture.scene.bodies[k].shape) {
        let normal = pose.rotation * facet.normal;
        let facing = camera.towards_eye.dot(normal);
        if facing <= 1e-6 {
            continue;
        }
        let (mut d, mut nearness, mut count) = (String::new(), 0.0, 0.0);
        for outline in &facet.outlines {
            for (i, &corner) in outline.iter().enumerate() {
                let world = pose.transform_point(corner);
                let p = place(world);
                d.push_str(&format!("{}{} {}", if i == 0 { 'M' } else { 'L' }, coordinate(p.x), coordinate(p.y)));
                nearness += camera.nearness(world);
                count += 1.0;
            }
            d.push('Z');
        }
        if count > 0.0 {
            seen.push((nearness / count, normal.y, d));
        }
    }
    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    let shade = |up: f64| if up > 0.7 { "top" } else { "side" };
    html! { @for (_, up, d) in &seen { path class={ "facet " (shade(*up)) } d=(d) {} } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::generator::methods;
    use drystone_scenes::cases::{Case, Model};
    use drystone_scenes::detection::{Moment, detect};

    #[test]
    fn every_case_by_every_method_is_a_picture() {
        for case in Case::ALL {
            let scene = case.scene(Model::Procedural, None).unwrap();
            for method in methods::all() {
                let found = detect(&scene, &method, Moment::Start).unwrap();
                let (contacts, poses) = (&found.contacts[..], &found.poses[..]);
                let picture =
                    Picture { scene: &scene, method: method.name(), contacts, poses, study: None, parameter: 0.0 };
                let drawn = draw(&picture, TruthKind::Corrected, 1e-4, "<title>");
                let svg = drawn.svg.into_string();
                let document = roxmltree::Document::parse(&svg).unwrap();
                assert!(!svg.contains("NaN") && !svg.contains("inf"));
                let moves = |class: &str| {
                    let paths = document.descendants().filter(|n| n.attribute("class") == Some(class));
                    paths.map(|n| n.attribute("d").unwrap().matches('M').count()).sum::<usize>()
                };
                assert_eq!(moves("spot right"), drawn.right, "{case} {method}");
                assert_eq!(moves("spot right") + moves("spot wrong"), drawn.contacts);
                let score = drystone_scenes::measure::score(contacts, &scene.truth, &Default::default());
                assert_eq!((drawn.right, drawn.contacts), (score.matching, score.contacts));
            }
        }
    }

    #[test]
    fn many_contacts_are_thinned_evenly() {
        assert_eq!(thinned(3).collect::<Vec<_>>(), [0, 1, 2]);
        let kept: Vec<usize> = thinned(4000).collect();
        assert_eq!((kept.len(), kept[0]), (MOST_CONTACTS, 0));
        assert!(kept.windows(2).all(|w| (2..=3).contains(&(w[1] - w[0]))));
        assert_eq!(thinned(0).count(), 0);
    }
}
