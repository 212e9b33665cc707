//! Contact patches: the polygons in which facets face each other, with outline and area, for those who want the region
//! and not its corners alone.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

use super::candidate::View;
use super::facet_facet::Facing;
use super::polygon::{Polygons, Sector, common_sectors, intersect, signed_area};

/// A region in which two facets face each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// The facet of A ([`crate::shape::Features::facets`]).
    pub facet_a: u32,
    /// The facet of B.
    pub facet_b: u32,
    /// From A to B, world frame, unit.
    pub normal: DVec3,
    /// The smallest gap of its corners, m.
    pub gap: f64,
    /// Its borders, world frame, m, half way between both facets: seen from B's side outer ones run counter-clockwise,
    /// holes clockwise.
    pub outlines: Vec<Vec<DVec3>>,
    /// m².
    pub area: f64,
}

/// The loops of the region of two facets in the plane between them, and its area.
pub(super) fn trace(view: &View<'_>, facing: &Facing<'_>, polygons: &mut Polygons) -> (Vec<Vec<DVec2>>, f64) {
    let (same, turn) = (view.limits.same, view.angles.turn);
    facing.place(view, polygons);
    intersect(polygons, same, turn);
    let Polygons { p, q, corners, sectors, .. } = polygons;
    let mut corner_sectors: Vec<CornerSector> = Vec::new();
    for (corner, &x) in corners.iter().enumerate() {
        let found = common_sectors(p, q, x, (same, turn), sectors);
        corner_sectors.extend(found.map(|sector| CornerSector { corner, sector, is_used: false }));
    }
    let loops = join(corners, corner_sectors, same);
    let area = loops.iter().map(|outline| signed_area(outline)).sum();
    (loops, area)
}

/// A sector of the region at a corner: its border leaves where the sector starts and arrives where it ends.
struct CornerSector {
    corner: usize,
    sector: Sector,
    is_used: bool,
}

/// Follows the border from corner to corner: it leaves each one straight to the nearest corner ahead.
fn join(corners: &[DVec2], mut sectors: Vec<CornerSector>, same: f64) -> Vec<Vec<DVec2>> {
    let mut loops = Vec::new();
    for first in 0..sectors.len() {
        let mut outline = Vec::new();
        let mut here = first;
        while !sectors[here].is_used {
            sectors[here].is_used = true;
            let CornerSector { corner, sector: (start, _), .. } = sectors[here];
            outline.push(corners[corner]);
            let (sin, cos) = libm::sincos(start);
            let direction = DVec2::new(cos, sin);
            let ahead = |next: &CornerSector| {
                let offset = corners[next.corner] - corners[corner];
                let (along, aside) = (offset.dot(direction), offset.perp_dot(direction).abs());
                (next.corner != corner && along > 0.0 && aside <= 8.0 * same + 0.02 * along).then_some(along)
            };
            // The sector there that the border arrives at: it ends where this one looks from.
            let miss = |next: &CornerSector| {
                let turn = (next.sector.0 + next.sector.1 - (start + PI)).rem_euclid(TAU);
                turn.min(TAU - turn)
            };
            let distance = sectors.iter().filter_map(ahead).fold(f64::INFINITY, f64::min);
            let candidates =
                (0..sectors.len()).filter(|&k| ahead(&sectors[k]).is_some_and(|d| d <= distance + 4.0 * same));
            let Some(next) = candidates.min_by(|&k, &l| miss(&sectors[k]).total_cmp(&miss(&sectors[l]))) else {
                break;
            };
            here = next;
        }
        if outline.len() > 2 {
            loops.push(outline);
        }
    }
    loops
}
