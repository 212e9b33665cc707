//! Convex outlines in a plane, polygons, segments or points: what two have in common, and where the border of a union turns.

use drystone_contact::segment::share;
use drystone_contact::sorting::CompactSort;
use glam::DVec2;

use super::RegionSettings;

/// The convex hull of the intersection of two convex outlines (polygon, segment or point), without repetitions:
/// vertices of one in the other, and crossings of their sides.
pub fn intersection(p: &[DVec2], q: &[DVec2], tolerance: f64) -> Vec<DVec2> {
    let mut points: Vec<DVec2> = Vec::new();
    let mut add = |x: DVec2| {
        if points.iter().all(|y| y.distance(x) > tolerance) {
            points.push(x);
        }
    };
    p.iter().filter(|x| contains(q, **x, tolerance)).for_each(|x| add(*x));
    q.iter().filter(|x| contains(p, **x, tolerance)).for_each(|x| add(*x));
    for [a, b] in sides(p) {
        for [c, d] in sides(q) {
            let (u, v) = (b - a, d - c);
            let area = u.perp_dot(v);
            if area.abs() > tolerance * u.length().max(v.length()) {
                let (s, t) = ((c - a).perp_dot(v) / area, (c - a).perp_dot(u) / area);
                if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
                    add(a + u * s);
                }
            }
        }
    }
    outline_of(points, tolerance)
}

/// The sides of an outline: none of a point, one of a segment.
fn sides(outline: &[DVec2]) -> Vec<[DVec2; 2]> {
    match outline.len() {
        0 | 1 => Vec::new(),
        2 => vec![[outline[0], outline[1]]],
        n => (0..n).map(|i| [outline[i], outline[(i + 1) % n]]).collect(),
    }
}

/// Whether a convex outline, in either sense of rotation, contains the point or comes within the tolerance of it.
pub fn contains(outline: &[DVec2], x: DVec2, tolerance: f64) -> bool {
    if outline.len() == 1 {
        return outline[0].distance(x) <= tolerance;
    }
    if sides(outline).iter().any(|&side| distance_to_segment(x, side) <= tolerance) {
        return true;
    }
    let turns: Vec<f64> = sides(outline).iter().map(|[a, b]| (*b - *a).perp_dot(x - *a)).collect();
    outline.len() > 2 && (turns.iter().all(|&t| t > 0.0) || turns.iter().all(|&t| t < 0.0))
}

/// How far a point is from a segment.
pub fn distance_to_segment(x: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    let t = share((x - a).dot(b - a), (b - a).length_squared());
    x.distance(a + (b - a) * t)
}

/// The corners of a convex polygon counter-clockwise; of points on a line, the two ends.
pub fn outline_of(mut points: Vec<DVec2>, tolerance: f64) -> Vec<DVec2> {
    let Some(&first) = points.first() else {
        return points;
    };
    let farthest =
        |from: DVec2| points.iter().copied().fold(from, |f, p| if p.distance(from) > f.distance(from) { p } else { f });
    let start = farthest(first);
    let end = farthest(start);
    if points.iter().all(|&p| start == end || distance_to_segment(p, [start, end]) <= tolerance) {
        return if start == end { vec![start] } else { vec![start, end] };
    }
    let centre = points.iter().sum::<DVec2>() / points.len() as f64;
    points.compact_sort_by(|p, q| (*p - centre).to_angle().total_cmp(&(*q - centre).to_angle()));
    points
}

/// Where the border of the union of the pieces turns. Polygons do not overlap, as they come from the triangles of two
/// surfaces; so the angles that they fill at a point add up: 2π inside, π on a straight side.
pub fn border_corners(pieces: &[Vec<DVec2>], settings: &RegionSettings) -> Vec<DVec2> {
    let mut candidates: Vec<DVec2> = Vec::new();
    for &x in pieces.iter().flatten() {
        if candidates.iter().all(|y| y.distance(x) > settings.length) {
            candidates.push(x);
        }
    }
    let is_corner = |x: &&DVec2| {
        let filled: f64 = pieces.iter().map(|piece| filled_angle(piece, **x, settings)).sum();
        let straight = std::f64::consts::PI;
        if filled > settings.angle {
            return (filled - straight).abs() > settings.angle && (filled - 2.0 * straight).abs() > settings.angle;
        }
        // On lines only: a corner unless lines go on in opposite directions. A point alone is a corner.
        let ways: Vec<DVec2> =
            pieces.iter().filter(|p| p.len() == 2).flat_map(|p| ways_from(p, **x, settings)).collect();
        let opposite = |u: &DVec2| ways.iter().any(|v| u.dot(*v) < -1.0 + settings.angle);
        ways.is_empty() || !ways.iter().all(opposite)
    };
    candidates.iter().filter(is_corner).copied().collect()
}

/// The angle that a polygon fills at x: 2π inside, π on a side, the inner angle in a corner; 0 outside and for lines.
fn filled_angle(piece: &[DVec2], x: DVec2, settings: &RegionSettings) -> f64 {
    let n = piece.len();
    if n < 3 || !contains(piece, x, settings.length) {
        return 0.0;
    }
    if let Some(i) = piece.iter().position(|p| p.distance(x) <= settings.length) {
        let (before, after) = (piece[(i + n - 1) % n] - x, piece[(i + 1) % n] - x);
        return before.angle_to(after).abs();
    }
    let on_side = sides(piece).iter().any(|&side| distance_to_segment(x, side) <= settings.length);
    if on_side { std::f64::consts::PI } else { 2.0 * std::f64::consts::PI }
}

/// The unit directions in which a segment goes on from x.
fn ways_from(segment: &[DVec2], x: DVec2, settings: &RegionSettings) -> Vec<DVec2> {
    if !contains(segment, x, settings.length) {
        return Vec::new();
    }
    let far = segment.iter().filter(|p| p.distance(x) > settings.length);
    far.map(|p| (*p - x).normalize()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_an_l_and_of_a_broken_line() {
        let square = |x: f64, y: f64| {
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| DVec2::new(x + u, y + v)).to_vec()
        };
        let settings = RegionSettings::default();
        let pieces = [square(0.0, 0.0), square(1.0, 0.0), square(0.0, 1.0)];
        assert_eq!(border_corners(&pieces, &settings).len(), 6);
        let line = |a: f64, b: f64| vec![DVec2::new(a, 0.0), DVec2::new(b, 0.0)];
        assert_eq!(border_corners(&[line(0.0, 1.0), line(1.0, 2.0)], &settings).len(), 2);
        assert_eq!(border_corners(&[vec![DVec2::ZERO]], &settings).len(), 1);
        assert_eq!(border_corners(&[], &settings).len(), 0);
    }
}
