//! A picture of contacts where they are: outlines of the bodies, points, normals, and the regions whose corners they are.
//!
//! It stands alone: an SVG with a background and a style of its own, for pages that have none. Where the contacts take up
//! little of the bodies, they are enlarged, and a panel beside them shows the whole.

use drystone_contact::{Feature, Pose};
use drystone_engine::ContactBetween;
use drystone_scenes::measure::Matching;
use glam::{DVec2, DVec3};
use maud::{Markup, PreEscaped, html};

use super::Picture;
use super::apart::{Bounds, layout};
use super::camera::{Camera, Frame};
use super::marks::{Mark, is_right, marks};
use super::outlines::{Outlined, Panel, outlines};
use crate::chart::svg;
use crate::number::{coordinate, short};

/// Space around panels, pixels.
const SPACE: f64 = 8.0;

/// Contacts that take up less than this share of the bodies' extent are enlarged.
const SMALL: f64 = 0.2;

/// A region smaller than this share of the bodies' extent is a point: one apex on several walls, say.
const POINT: f64 = 5e-3;

/// What is shown of the bodies around a point, as a share of their extent.
const AROUND_A_POINT: f64 = 0.16;

/// What is shown around a region, by its own extent.
const AROUND_A_REGION: f64 = 2.4;

/// The width of the panel with the whole, as a share of the enlarged one's.
const INSET: f64 = 0.36;

/// The length of a normal, pixels; and where there are many.
const NORMAL: [f64; 2] = [42.0, 13.0];

/// As many contacts are many.
const MANY: usize = 30;

const STYLE: &str = ".paper{fill:#fff}.frame{fill:none;stroke:#bbb}.zoom{fill:none;stroke:#111;stroke-width:1.2}\
    .a .seen,.a .hidden{stroke:#1f5fae}.a .face{fill:#1f5fae}.b .seen,.b .hidden{stroke:#b35a00}.b .face{fill:#b35a00}\
    .face{fill-opacity:.05;fill-rule:evenodd}.seen,.hidden{fill:none;stroke-linecap:round}.seen{stroke-width:1.5}\
    .hidden{stroke-width:.8;stroke-opacity:.4;stroke-dasharray:3 3}.inset .seen{stroke-width:1}.inset .hidden{stroke-width:.5}\
    .many .seen{stroke-width:.8}.many .hidden{stroke:none}.region{fill:#0b7a3b;fill-opacity:.22;stroke:#0b7a3b;stroke-width:1.2}\
    .normal,.spot,.hollow-spot,.head{fill:none;stroke-linecap:round}.normal,.head{stroke-width:1.8}.spot{stroke-width:7}\
    .many .normal,.many .head{stroke-width:1}.many .spot{stroke-width:3.4}.right{stroke:#0b7a3b}.wrong{stroke:#c4161c}\
    .hollow-spot{stroke:#fff;stroke-width:3}.bar{stroke:#333;stroke-width:1.5;fill:none}\
    text{font:12px sans-serif;fill:#333}text.a{fill:#1f5fae}text.b{fill:#b35a00}";

/// Draws contacts on bodies in place; `width` is that of the main panel in pixels.
pub fn draw(picture: &Picture<'_>, width: f64) -> String {
    let scene = picture.scene;
    let own: Vec<Pose> = scene.bodies.iter().map(|b| b.body.pose()).collect();
    let poses = if picture.poses.len() == own.len() { picture.poses } else { &own };
    let camera = Camera::new(28.0, 24.0);
    let bodies = Outlined::of(scene, poses, &camera);
    let points =
        |k: usize| scene.bodies[k].shape.triangles().vertices.into_iter().map(move |v| poses[k].transform_point(v));
    let bounds: Vec<Bounds> = (0..poses.len()).map(|k| Bounds::around(points(k))).collect();
    let is_ground = layout(scene, &bounds).is_ground;
    let of_bodies = (0..poses.len()).filter(|&k| !is_ground[k]).flat_map(points);
    let at = |c: &ContactBetween| camera.project(c.contact.position);
    let whole = Frame::around(of_bodies.map(|p| camera.project(p)).chain(picture.contacts.iter().map(at)));
    let whole = whole.unwrap_or(Frame { low: DVec2::ZERO, high: DVec2::ONE });
    let extent = whole.size().max_element();
    let whole = whole.with_margin(0.06 * extent);
    let enlarged = Frame::around(picture.contacts.iter().map(at)).and_then(|region| enlarged(region, extent));

    let scale = |frame: Frame, width: f64| width / frame.size().max_element();
    let frame = enlarged.unwrap_or(whole);
    let main = Panel { frame, corner: DVec2::splat(SPACE), scale: scale(frame, width) };
    let inset = enlarged.map(|_| {
        let corner = main.corner + DVec2::new(main.size().x + SPACE, 0.0);
        Panel { frame: whole, corner, scale: scale(whole, INSET * width) }
    });
    let last =
        inset.map_or(main.corner + main.size(), |inset| (inset.corner + inset.size()).max(main.corner + main.size()));
    let size = last + SPACE + DVec2::new(0.0, 36.0);
    // Bodies are told apart by whether they move, two that do or do not by their order.
    let is_fixed: Vec<bool> = scene.bodies.iter().map(|b| b.body.is_fixed()).collect();
    let is_pair = is_fixed.len() == 2;
    let class = |k: usize| if (is_pair && k == 0) || (!is_pair && is_fixed[k]) { "a" } else { "b" };

    let shown = |name: &str, panel: &Panel| {
        let id = format!("{}-{name}", scene.name);
        html! {
            clipPath id=(id) { (rectangle(panel, "")) }
            g class=(name) clip-path={ "url(#" (id) ")" } {
                @for k in 0..bodies.len() { g class=(class(k)) { (outlines(&bodies, k, &camera, panel)) } }
                @if name == "main" {
                    (regions(picture.contacts, &camera, panel))
                    (arrows(picture, &camera, panel))
                }
            }
            (rectangle(panel, "frame"))
        }
    };
    // Where the enlarged part is, not too small to be found.
    let zoom = |inset: &Panel| {
        let middle = 0.5 * (frame.low + frame.high);
        let half = (0.5 * frame.size()).max(DVec2::splat(4.0 / inset.scale));
        let Panel { corner, scale, .. } = *inset;
        let shown = Frame { low: middle - half, high: middle + half };
        rectangle(&Panel { frame: shown, corner: corner + scale * (shown.low - whole.low), scale }, "zoom")
    };
    let name = |letter: &str, k: usize, x: f64| {
        html! { text class=(class(k)) x=(x) y=(coordinate(size.y - 28.0)) { (letter) ": " (scene.bodies[k].name) } }
    };
    let body = html! {
        style { (PreEscaped(STYLE)) }
        rect class="paper" width="100%" height="100%" {}
        (shown("main", &main))
        @if let Some(inset) = &inset {
            (shown("inset", inset))
            (zoom(inset))
        }
        (bar(&main, DVec2::new(SPACE, size.y - 10.0)))
        @if is_pair {
            (name("A", 0, SPACE))
            (name("B", 1, SPACE + 7.0 * (4 + scene.bodies[0].name.chars().count()) as f64))
        }
    };
    let count = picture.contacts.len();
    let title = format!("{}: contacts by {}", scene.name, picture.method);
    let description = format!("{count} contacts where {}", scene.title);
    svg(size.x, size.y, if count > MANY { "many" } else { "few" }, &title, &description, &body).into_string()
}

/// What is shown of a region that is small beside bodies of this extent, m.
fn enlarged(region: Frame, extent: f64) -> Option<Frame> {
    let own = region.size().max_element();
    if own > SMALL * extent {
        return None;
    }
    let is_point = own < POINT * extent;
    let half = 0.5 * if is_point { AROUND_A_POINT * extent } else { AROUND_A_REGION * own };
    let middle = 0.5 * (region.low + region.high);
    Some(Frame { low: middle - half, high: middle + half })
}

fn rectangle(panel: &Panel, class: &str) -> Markup {
    let (corner, size) = (panel.corner, panel.size());
    let [x, y, w, h] = [corner.x, corner.y, size.x, size.y].map(coordinate);
    html! { rect class=(class) x=(x) y=(y) width=(w) height=(h) {} }
}

/// The polygons and segments whose corners are contacts between the same features.
fn regions(contacts: &[ContactBetween], camera: &Camera, panel: &Panel) -> Markup {
    let key = |c: &ContactBetween| -> (usize, usize, Feature, Feature) {
        (c.a.index(), c.b.index(), c.contact.feature_a, c.contact.feature_b)
    };
    let region = |group: &[ContactBetween]| {
        let middle = group.iter().map(|c| c.contact.position).sum::<DVec3>() / group.len() as f64;
        let (s, t) = group[0].contact.normal.any_orthonormal_pair();
        let angle = |c: &ContactBetween| {
            let offset = c.contact.position - middle;
            libm::atan2(t.dot(offset), s.dot(offset))
        };
        let mut around: Vec<&ContactBetween> = group.iter().collect();
        around.sort_by(|c, d| angle(c).total_cmp(&angle(d)));
        let places = around.iter().map(|c| panel.place(camera.project(c.contact.position)));
        let corners: Vec<String> = places.map(|p| format!("{} {}", coordinate(p.x), coordinate(p.y))).collect();
        format!("M{}Z", corners.join("L"))
    };
    // Contacts between tetrahedra need not be of one region, nor those of lists without features.
    let has_region =
        |group: &&[ContactBetween]| group.len() > 1 && !matches!(group[0].contact.feature_a, Feature::Tetrahedron(_));
    let groups = contacts.chunk_by(|c, d| key(c) == key(d)).filter(has_region);
    html! { @for group in groups { path class="region" d=(region(group)) {} } }
}

/// A dot a contact and its normal as an arrow from A to B.
fn arrows(picture: &Picture<'_>, camera: &Camera, panel: &Panel) -> Markup {
    let length = NORMAL[usize::from(picture.contacts.len() > MANY)];
    let truth = picture.scene.truth.at(picture.poses);
    let found: Vec<Mark> = picture
        .contacts
        .iter()
        .map(|c| {
            let at = panel.place(camera.project(c.contact.position));
            let along = length * camera.project(c.contact.normal.normalize_or_zero());
            Mark { at, tip: at + along, is_right: is_right(c, &truth, Matching::default().tolerance) }
        })
        .collect();
    let head = |mark: &Mark, side: f64| {
        let along = mark.tip - mark.at;
        let back = 0.2 * length * along.normalize_or_zero();
        let end = DVec2::from_angle(side).rotate(-back).clamp_length_max(0.6 * along.length());
        let [x, y, dx, dy] = [mark.tip.x, mark.tip.y, end.x, end.y].map(coordinate);
        let class = if mark.is_right { "right" } else { "wrong" };
        html! { path class={ "head " (class) } d={ "M" (x) " " (y) "l" (dx) " " (dy) } {} }
    };
    html! {
        (marks(&found))
        @for mark in &found { @for side in [0.45, -0.45] { (head(mark, side)) } }
    }
}

/// A length to compare with, its left end here (pixels).
fn bar(panel: &Panel, at: DVec2) -> Markup {
    let most = 0.25 * panel.size().x / panel.scale;
    let power = libm::pow(10.0, libm::log10(most).floor());
    let length = [5.0, 2.0, 1.0].map(|n| n * power).into_iter().find(|&l| l <= most).unwrap_or(power);
    let [x, y, w, label] = [at.x, at.y - 4.0, panel.scale * length, at.x + panel.scale * length + 6.0].map(coordinate);
    let text = if length < 0.01 { format!("{} mm", short(1e3 * length)) } else { format!("{} m", short(length)) };
    html! {
        path class="bar" d={ "M" (x) " " (y) "v-4v8v-4h" (w) "v-4v8" } {}
        text x=(label) y=(coordinate(at.y)) { (text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::generator::methods;
    use drystone_scenes::cases::{Case, Model};
    use drystone_scenes::detection::{Moment, detect};

    #[test]
    fn every_case_is_a_picture_that_stands_alone() {
        for case in Case::ALL {
            let scene = case.scene(Model::Procedural, None).unwrap();
            let method = methods::semi_local();
            let found = detect(&scene, &method, Moment::Step(scene.scored_step)).unwrap();
            let (contacts, poses) = (&found.contacts[..], &found.poses[..]);
            let picture =
                Picture { scene: &scene, method: method.name(), contacts, poses, study: None, parameter: 0.0 };
            let svg = picture.in_place(400.0);
            let document = roxmltree::Document::parse(&svg).unwrap();
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
            let paths = |class: &str| document.descendants().filter(|n| n.attribute("class") == Some(class)).count();
            assert_eq!(paths("paper"), 1, "it is to be read on any background");
            // Of the ground nothing but a part of its top may be in the picture.
            assert!(paths("face") >= 2 && paths("seen") >= 1 && paths("hidden") >= 1, "{case}");
            // Polygons and segments; apexes have none.
            let regions = match case {
                Case::SpikeInCrack | Case::SpikeInHole | Case::SlidingSpike => 0,
                Case::WedgeInCrack => 2,
                _ => 1,
            };
            assert_eq!(paths("region"), regions, "{case}");
            assert_eq!(paths("head right") + paths("head wrong"), 2 * contacts.len());
        }
    }

    #[test]
    fn small_regions_are_enlarged() {
        let region = |size: f64| Frame { low: DVec2::ZERO, high: DVec2::new(size, 0.0) };
        assert!(enlarged(region(0.5), 1.0).is_none());
        assert_eq!(enlarged(region(0.01), 1.0).unwrap().size(), DVec2::splat(0.024));
        assert_eq!(enlarged(region(0.0), 1.0).unwrap().size(), DVec2::splat(AROUND_A_POINT));
    }
}
