//! RRP of section 4.2: whether the contacts in the step are odd in number, by a ray.
//!
//! Brochu, Edwards, Bridson, "Efficient geometrically exact continuous collision detection", ACM Transactions on
//! Graphics 31 (2012): all differences of the two features over the whole step fill a body. Its surface is what the
//! polygon of differences is at both ends of the step, and what each of its sides sweeps. A ray from the origin
//! crosses the surface an odd number of times if an odd number of times, places and differences is zero.
//!
//! Differs from the source in: all is done in exact integers; a side is not replaced by triangles but met where it
//! is, at a root of a quadratic polynomial in t; whatever is degenerate for one ray is tried again with another.

use super::accept;
use dashu_int::IBig;
use drystone_contact::ccd::exact::first_touch;
use drystone_contact::ccd::exact::form::Form;
use drystone_contact::ccd::exact::instant::Instant;
use drystone_contact::ccd::exact::polygon::{Moving, Polygon, cross, dot};
use drystone_contact::ccd::{Answer, CcdError, Guarantee, Method, Outcome, Query, Settings};

/// Rays that are tried; each next one is more oblique.
const RAYS: i64 = 64;

/// Whether the contacts are odd in number. There is no time of impact: `lo` is 0 and `hi` is 1 in every answer that
/// is not free. The whole step is looked at, so t_max has to be 1.
#[derive(Clone, Debug)]
pub struct RootParity(());

impl RootParity {
    /// Its name on the command line.
    pub const NAME: &str = "root-parity";

    /// With these settings, of which none changes the answer.
    ///
    /// # Errors
    /// Settings out of range; a minimum separation; a t_max other than 1.
    pub fn new(settings: Settings) -> Result<Self, CcdError> {
        accept(Self::NAME, &settings, &[])?;
        if settings.t_max != 1.0 {
            let what = "stop before the end of the step";
            return Err(CcdError::Unsupported { method: Self::NAME, what });
        }
        Ok(Self(()))
    }
}

impl Method for RootParity {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::None("misses an even number of contacts in the step")
    }

    fn solve(&self, query: &Query) -> Result<Answer, CcdError> {
        query.check()?;
        let polygon = Polygon::new(query, 0.0);
        let mut surface = Surface { polygon, checks: 0 };
        let meets = surface.holds_origin() || surface.is_crossed_oddly();
        let outcome = if meets { Outcome::Impact { lo: 0.0, hi: 1.0 } } else { Outcome::Free };
        Ok(Answer { outcome, checks: surface.checks, reached: 0.0, exact: true })
    }
}

/// The surface of the differences over the step.
struct Surface {
    polygon: Polygon,
    /// n: places on the surface that were looked at.
    checks: u64,
}

/// A ray that meets the border of a part of the surface, or touches it.
struct Degenerate;

impl Surface {
    /// Both ends of each side of the polygon.
    fn sides(&self) -> Vec<[Moving; 2]> {
        let corners = self.polygon.corners();
        (0..corners.len()).map(|i| [corners[i].clone(), corners[(i + 1) % corners.len()].clone()]).collect()
    }

    /// Whether the origin lies on the surface: in the polygon at an end of the step, or on a side at any time.
    fn holds_origin(&mut self) -> bool {
        [Instant::START, Instant::END].into_iter().any(|mut end| {
            self.checks += 1;
            // The plane has to hold the origin before the polygon can.
            end.sign(&self.polygon.plane()) == 0 && self.polygon.touches(&mut end)
        }) || self.sides().into_iter().any(|side| {
            let (time, checks) = first_touch(&Polygon::from_corners(side.to_vec(), IBig::ZERO), 1.0);
            self.checks += checks;
            time.is_some()
        })
    }

    /// Whether a ray from the origin, which is not on the surface, crosses it an odd number of times.
    fn is_crossed_oddly(&mut self) -> bool {
        // Few directions meet a border, and no curve of borders holds all of these. In doubt, they may meet.
        (1..=RAYS).find_map(|n| self.crossings(&[1, n, n * n]).ok()).is_none_or(|crossings| crossings % 2 == 1)
    }

    fn crossings(&mut self, direction: &[i64; 3]) -> Result<u64, Degenerate> {
        let ray = direction.map(|x| Form::from_coefficients(vec![IBig::from(x)]));
        let mut count = 0;
        for [from, to] in &self.sides() {
            count += self.crossings_of_side(&ray, from, to)?;
        }
        for end in [Instant::START, Instant::END] {
            count += self.crossings_of_end(&ray, end)?;
        }
        Ok(count)
    }

    /// How often the ray crosses what the side sweeps.
    fn crossings_of_side(&mut self, ray: &Moving, from: &Moving, to: &Moving) -> Result<u64, Degenerate> {
        let normal = cross(from, to);
        let plane = dot(ray, &normal);
        let (before, after) = (cross(from, ray), cross(ray, to));
        if plane.is_zero() && !normal.iter().all(Form::is_zero) {
            return Err(Degenerate);
        }
        if plane.is_zero() {
            return self.crossings_of_radial_side(&before);
        }
        let mut count = 0;
        for mut time in Instant::roots(&plane) {
            self.checks += 1;
            let turn = (0..3).map(|k| (k, time.sign(&normal[k]))).find(|&(_, turn)| turn != 0);
            let Some((axis, turn)) = turn else {
                // At this time the side is on a line through the origin.
                let parallel = |cross: &Moving, time: &mut Instant| cross.iter().all(|form| time.sign(form) == 0);
                if parallel(&before, &mut time) || parallel(&after, &mut time) {
                    return Err(Degenerate);
                }
                continue;
            };
            // The ray is between the directions of both ends.
            let [first, second] = [&before, &after].map(|cross| turn * time.sign(&cross[axis]));
            if first < 0 || second < 0 {
                continue;
            }
            if first == 0 || second == 0 || time.is_end() || time.sign(&plane.slope()) == 0 {
                return Err(Degenerate);
            }
            count += 1;
        }
        Ok(count)
    }

    /// How often the ray crosses a side that is always on a line through the origin, from the product of ray and side:
    /// never, unless that line is the ray's at some time.
    fn crossings_of_radial_side(&mut self, product: &Moving) -> Result<u64, Degenerate> {
        let Some(part) = product.iter().find(|form| !form.is_zero()) else { return Err(Degenerate) };
        let mut times = Instant::roots(part);
        self.checks += times.len() as u64;
        let is_rays = |time: &mut Instant| product.iter().all(|form| time.sign(form) == 0);
        if times.iter_mut().any(is_rays) { Err(Degenerate) } else { Ok(0) }
    }

    /// How often the ray crosses the polygon at an end of the step.
    fn crossings_of_end(&mut self, ray: &Moving, mut end: Instant) -> Result<u64, Degenerate> {
        self.checks += 1;
        let sides = self.sides();
        let turns: Vec<i8> = sides.iter().map(|[from, to]| end.sign(&dot(ray, &cross(from, to)))).collect();
        let [left, right] = [1, -1].map(|turn| turns.contains(&turn));
        if left && right {
            return Ok(0);
        }
        if turns.contains(&0) {
            // On the border, or the polygon is seen from the side; if it is on a line through the origin, not at all.
            let on_line = sides.iter().all(|[from, to]| cross(from, to).iter().all(|form| end.sign(form) == 0));
            let is_rays =
                |corner: &Moving, end: &mut Instant| cross(corner, ray).iter().all(|form| end.sign(form) == 0);
            let met = sides.iter().any(|[from, _]| is_rays(from, &mut end));
            return if on_line && !met { Ok(0) } else { Err(Degenerate) };
        }
        // The line of the ray passes through; the ray does if the polygon is ahead.
        let ahead = end.sign(&self.polygon.plane()) * end.sign(&dot(ray, self.polygon.normal()));
        Ok(u64::from(ahead > 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::ccd::exact::decide;
    use drystone_contact::ccd::sample::near_degenerate;
    use glam::{DVec3, dvec3};
    use proptest::prelude::*;

    fn answered(query: &Query) -> bool {
        let method = RootParity::new(Settings::default()).expect("defaults are fine");
        method.solve(query).expect("the query is sound").outcome.is_impact()
    }

    fn met(query: &Query) -> bool {
        decide(query, 1.0, 0.0).expect("the query is sound").is_some()
    }

    /// A face of the plane z = slope x, and a point.
    fn swung(slopes: [f64; 2], from: DVec3, to: DVec3) -> Query {
        let [start, end] =
            slopes.map(|s| [dvec3(-8.0, -8.0, -8.0 * s), dvec3(8.0, -8.0, 8.0 * s), dvec3(0.0, 8.0, 0.0)]);
        Query::vertex_face([from, start[0], start[1], start[2]], [to, end[0], end[1], end[2]])
    }

    #[test]
    fn the_hourglass_of_the_paper_is_met() {
        let start = [dvec3(0.0, 0.0, 1.0), dvec3(1.0, 0.0, 1.0), dvec3(0.0, 1.0, 1.0)];
        let end = [DVec3::ZERO, DVec3::Y, DVec3::X];
        let point = DVec3::splat(0.1);
        assert!(answered(&Query::vertex_face([point, start[0], start[1], start[2]], [point, end[0], end[1], end[2]])));
    }

    #[test]
    fn odd_numbers_of_contacts_are_found_and_even_ones_missed() {
        // The distance is (4t − 1)(4t − 3) or, with a shorter way, one of the two alone.
        assert!(answered(&swung([-1.0, 3.0], dvec3(-3.0, 0.0, 0.0), dvec3(-0.5, 0.0, 0.0))));
        let twice = swung([-1.0, 3.0], dvec3(-3.0, 0.0, 0.0), dvec3(1.0, 0.0, 0.0));
        assert!(met(&twice) && !answered(&twice));
        assert!(!answered(&swung([0.0, 0.0], dvec3(0.0, 0.0, 1.0), dvec3(0.0, 0.0, 0.5))));
    }

    #[test]
    fn contacts_on_the_border_are_found() {
        // At an end of the step, over an edge, and along one in the plane of the face.
        assert!(answered(&swung([0.0, 0.0], DVec3::Z, DVec3::ZERO)));
        assert!(answered(&swung([0.0, 0.0], dvec3(0.0, -8.0, 1.0), dvec3(0.0, -8.0, -1.0))));
        assert!(answered(&swung([0.0, 0.0], dvec3(-9.0, -8.0, 0.0), dvec3(9.0, -8.0, 0.0))));
        assert!(!answered(&swung([0.0, 0.0], dvec3(-9.0, -8.5, 0.0), dvec3(9.0, -8.5, 0.0))));
    }

    #[test]
    fn what_it_cannot_do_is_refused() {
        let apart = Settings { separation: 1.0, ..Settings::default() };
        let cut = Settings { t_max: 0.5, ..Settings::default() };
        for settings in [apart, cut] {
            assert!(matches!(RootParity::new(settings), Err(CcdError::Unsupported { .. })));
        }
    }

    proptest! {
        #[test]
        fn no_contact_is_invented_and_a_missed_one_is_not_alone(number in any::<u64>()) {
            let query = near_degenerate(11, number);
            prop_assert!(met(&query) || !answered(&query));
            if met(&query) && !answered(&query) {
                // It has company: another by time, or, where the distance has a double root, at the same time.
                let plane = Polygon::new(&query, 0.0).plane();
                let double = |time: &mut Instant| time.sign(&plane.slope()) == 0;
                let back = Query { kind: query.kind, start: query.end, end: query.start };
                let [first, last] = [&query, &back].map(|query| decide(query, 1.0, 0.0).expect("sound").expect("met"));
                prop_assert!(first.lo + last.lo < 1.0 || Instant::roots(&plane).iter_mut().any(double));
            }
        }
    }
}
