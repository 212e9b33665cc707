//! What two plane polygons have in common, by its corners.
//!
//! Convex polygons are clipped (Sutherland and Hodgman 1974). For polygons with reflex corners and holes the corners
//! are found one by one: a vertex of either outline or a crossing of the two is a corner of the intersection if the
//! sectors that both polygons fill around it have something in common that is neither a half nor a full turn.

use std::f64::consts::{PI, TAU};

use glam::DVec2;

use super::candidate::Across;
use crate::shape::features::contains;

/// Loops around an area on their left: outer borders counter-clockwise, holes clockwise.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    pub points: Vec<DVec2>,
    /// Where each loop ends.
    pub ends: Vec<u32>,
}

/// Two polygons, what they have in common, and scratch space.
#[derive(Clone, Debug, Default)]
pub struct Polygons {
    pub p: Loops,
    pub q: Loops,
    /// The corners of the intersection; of convex polygons counter-clockwise.
    pub corners: Vec<DVec2>,
    pub across: Vec<Across>,
    pub scratch: Vec<DVec2>,
    /// What each of the two fills around a point.
    pub sectors: [Vec<Sector>; 2],
}

impl Loops {
    pub fn clear(&mut self) {
        self.points.clear();
        self.ends.clear();
    }

    fn loops(&self) -> impl Iterator<Item = &[DVec2]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.points[std::mem::replace(&mut start, end as usize)..end as usize])
    }

    /// The sides, from corner to corner.
    fn sides(&self) -> impl Iterator<Item = (DVec2, DVec2)> {
        self.loops().flat_map(|outline| (0..outline.len()).map(|i| (outline[i], outline[(i + 1) % outline.len()])))
    }
}

/// The intersection of two convex polygons, by its corners; none if it is narrower than `same` (m).
pub fn intersect_convex(polygons: &mut Polygons, same: f64, turn: f64) {
    let Polygons { p, q, corners, scratch, .. } = polygons;
    // The smaller one is clipped: often it lies within the other, and there is nothing to do.
    let (subject, border) = if signed_area(&p.points) <= signed_area(&q.points) { (p, q) } else { (q, p) };
    corners.clear();
    corners.extend_from_slice(&subject.points);
    clip(corners, scratch, &border.points);
    simplify_convex(corners, same, turn);
}

/// Clips a convex polygon, whichever way it runs, by one that runs counter-clockwise, and returns whether it lost anything; nothing is left
/// of what has no area in common with it.
pub fn clip(corners: &mut Vec<DVec2>, scratch: &mut Vec<DVec2>, border: &[DVec2]) -> bool {
    let mut is_cut = false;
    let mut from = border[border.len() - 1];
    for &to in border {
        let along = to - from;
        let height = |c: DVec2| along.perp_dot(c - from);
        if corners.iter().all(|&c| height(c) >= 0.0) {
            from = to;
            continue;
        }
        is_cut = true;
        scratch.clear();
        let mut c = corners[corners.len() - 1];
        let mut hc = height(c);
        for &d in corners.iter() {
            let hd = height(d);
            if (hc > 0.0 && hd < 0.0) || (hc < 0.0 && hd > 0.0) {
                scratch.push(c + (d - c) * (hc / (hc - hd)));
            }
            if hd >= 0.0 {
                scratch.push(d);
            }
            (c, hc) = (d, hd);
        }
        from = to;
        std::mem::swap(corners, scratch);
        if corners.len() < 3 {
            corners.clear();
            break;
        }
    }
    is_cut
}

/// Drops what are no corners of a convex polygon, and all of them if it is narrower than `same` (m); returns whether some are left.
pub fn simplify_convex(corners: &mut Vec<DVec2>, same: f64, turn: f64) -> bool {
    simplify(corners, same, turn);
    if width(corners) <= same {
        corners.clear();
    }
    !corners.is_empty()
}

/// Drops corners of a closed outline that lie no farther than `same` (m) from the one before or from the line between
/// their neighbours, or where the outline turns by no more than `turn` (rad).
fn simplify(corners: &mut Vec<DVec2>, same: f64, turn: f64) {
    let mut i = 0;
    let mut kept = 0;
    while kept < corners.len() && corners.len() > 2 {
        let n = corners.len();
        let (before, here, after) = (corners[(i + n - 1) % n], corners[i % n], corners[(i + 1) % n]);
        if is_straight(before, here, after, same, turn) {
            corners.remove(i % n);
            i = (i % n + corners.len() - 1) % corners.len();
            kept = 0;
        } else {
            i = (i + 1) % n;
            kept += 1;
        }
    }
}

fn is_straight(before: DVec2, here: DVec2, after: DVec2, same: f64, turn: f64) -> bool {
    let (u, v, chord) = (here - before, after - here, after - before);
    let area_squared = u.perp_dot(v).powi(2);
    u.length_squared() <= same * same
        || area_squared <= same * same * chord.length_squared()
        || (u.dot(v) > 0.0 && area_squared <= turn * turn * u.length_squared() * v.length_squared())
}

/// Twice the area by the greatest distance between corners, m.
fn width(corners: &[DVec2]) -> f64 {
    let mut diameter: f64 = 0.0;
    for (i, c) in corners.iter().enumerate() {
        for d in &corners[i + 1..] {
            diameter = diameter.max(c.distance_squared(*d));
        }
    }
    if corners.len() < 3 { 0.0 } else { signed_area(corners).abs() * 2.0 / diameter.sqrt() }
}

/// The area of a closed outline, positive if it runs counter-clockwise, m².
pub fn signed_area(outline: &[DVec2]) -> f64 {
    let Some(&first) = outline.first() else { return 0.0 };
    let fan = outline.windows(2).map(|w| (w[0] - first).perp_dot(w[1] - first));
    0.5 * fan.sum::<f64>()
}

/// The corners of the intersection of any two polygons.
pub fn intersect(polygons: &mut Polygons, same: f64, turn: f64) {
    let Polygons { p, q, corners, scratch, sectors, .. } = polygons;
    corners.clear();
    scratch.clear();
    scratch.extend(p.points.iter().filter(|&&c| contains(q.loops(), c, same)));
    scratch.extend(q.points.iter().filter(|&&c| contains(p.loops(), c, same)));
    for (a, b) in p.sides() {
        for (c, d) in q.sides() {
            let (u, v) = (b - a, d - c);
            let area = u.perp_dot(v);
            if area.abs() <= turn * u.length() * v.length() {
                continue;
            }
            let (s, t) = ((c - a).perp_dot(v) / area, (c - a).perp_dot(u) / area);
            let (margin_s, margin_t) = (same / u.length(), same / v.length());
            if (-margin_s..=1.0 + margin_s).contains(&s) && (-margin_t..=1.0 + margin_t).contains(&t) {
                scratch.push(a + u * s.clamp(0.0, 1.0));
            }
        }
    }
    for &c in scratch.iter() {
        if corners.iter().all(|d| c.distance_squared(*d) > 4.0 * same * same)
            && is_corner(p, q, c, (same, turn), sectors)
        {
            corners.push(c);
        }
    }
}

/// An interval of directions: where it starts and how far it turns counter-clockwise, rad.
pub type Sector = (f64, f64);

/// Whether what the polygons have in common around a point has a corner there.
fn is_corner(p: &Loops, q: &Loops, x: DVec2, (same, turn): (f64, f64), sectors: &mut [Vec<Sector>; 2]) -> bool {
    let mut common = common_sectors(p, q, x, (same, turn), sectors);
    match (common.next(), common.next()) {
        (Some((_, angle)), None) => (angle - PI).abs() > turn && angle < TAU - turn,
        (first, _) => first.is_some(),
    }
}

/// What both polygons fill around a point, without what is narrower than `turn` (rad).
pub fn common_sectors<'s>(
    p: &Loops,
    q: &Loops,
    x: DVec2,
    (same, turn): (f64, f64),
    sectors: &'s mut [Vec<Sector>; 2],
) -> impl Iterator<Item = Sector> + 's {
    let [of_p, of_q] = sectors;
    find_sectors(p, x, same, of_p);
    find_sectors(q, x, same, of_q);
    let of_q = &*of_q;
    of_p.iter().flat_map(|&s| of_q.iter().flat_map(move |&t| overlaps(s, t))).filter(move |&(_, angle)| angle > turn)
}

/// The sectors that a polygon fills around a point of it: all of it inside, half of it on a side, the corner's at a
/// corner.
fn find_sectors(loops: &Loops, x: DVec2, same: f64, found: &mut Vec<Sector>) {
    found.clear();
    for outline in loops.loops() {
        let n = outline.len();
        for i in 0..n {
            let (before, here, after) = (outline[(i + n - 1) % n], outline[i], outline[(i + 1) % n]);
            if here.distance(x) <= 2.0 * same {
                let (start, end) = ((after - here).to_angle_in_libm(), (before - here).to_angle_in_libm());
                found.push((start, (end - start).rem_euclid(TAU)));
                continue;
            }
            let side = after - here;
            let s = (x - here).dot(side) / side.length_squared();
            let is_on_side = (0.0..=1.0).contains(&s) && (here + side * s).distance(x) <= 2.0 * same;
            if is_on_side && after.distance(x) > 2.0 * same {
                found.push((side.to_angle_in_libm(), PI));
            }
        }
    }
    if found.is_empty() && contains(loops.loops(), x, 0.0) {
        found.push((0.0, TAU));
    }
}

/// What two sectors have in common: two intervals at most.
fn overlaps(s: Sector, t: Sector) -> [Sector; 2] {
    const NONE: Sector = (0.0, 0.0);
    if s.1 >= TAU {
        return [t, NONE];
    }
    if t.1 >= TAU {
        return [s, NONE];
    }
    let start = (t.0 - s.0).rem_euclid(TAU);
    // t from its start to its end, and what of it comes round to s again.
    [(t.0, s.1.min(start + t.1) - start), (s.0, s.1.min(start + t.1 - TAU))]
}

/// Directions by the same arithmetic on every machine.
trait Angle {
    fn to_angle_in_libm(self) -> f64;
}

impl Angle for DVec2 {
    fn to_angle_in_libm(self) -> f64 {
        libm::atan2(self.y, self.x)
    }
}
