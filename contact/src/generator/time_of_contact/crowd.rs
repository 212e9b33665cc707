//! Very many points of a curved surface that touch, as those of a thin disk deep in a solid: which of them are followed.
//!
//! The descent from a point takes some ten times as long as to ask how deep it is. From a point whose neighbour is decidedly deeper the surface
//! goes down to the neighbour, and the descents from both lead to the same place, but for places of contact closer to each other than points are.

use glam::DVec3;

use super::Start;
use super::descent::next_to;
use super::meeting::{Limits, Side};

/// Fewer points are all followed.
const CROWD: usize = 1024;

/// Neighbours are no farther apart than this, in spacings of the points: in each direction there is one.
const NEIGHBOURS: f64 = 2.0;

/// A point, its place in the frame of the mover, m, its gap, m, and the cube of space in which it lies.
struct Member {
    start: Start,
    place: DVec3,
    gap: f64,
    cell: [i64; 3],
}

/// Of points of `mover`, in the order of their numbers, that touch at the same time (s): those that have no neighbour decidedly deeper, in the same
/// order; `None` if all are to be followed.
pub fn lowest(mover: &Side<'_>, solid: &Side<'_>, time: f64, starts: &[Start], limits: &Limits) -> Option<Vec<Start>> {
    if starts.len() < CROWD || mover.general.solid().is_flat() {
        return None;
    }
    let relative = solid.pose(time).inverse() * mover.pose(time);
    let reach = NEIGHBOURS * mover.general.spacing();
    let member = |start: &Start| {
        let place = mover.general.point(start.point);
        let below = next_to(mover.general, solid.general.solid(), &relative, place);
        let gap = below.map_or(f64::NAN, |below| below.distance);
        Member { start: *start, place, gap, cell: (place / reach).floor().to_array().map(|x| x as i64) }
    };
    let mut members: Vec<Member> = starts.iter().map(member).collect();
    members.sort_unstable_by(|a, b| a.cell.cmp(&b.cell).then(a.start.point.cmp(&b.start.point)));
    let is_low = |member: &&Member| {
        let [x, y, z] = member.cell;
        let columns = (-1..=1).flat_map(|i| (-1..=1).map(move |j| [x + i, y + j]));
        !columns.into_iter().any(|[x, y]| {
            // Cells of one column follow each other.
            let begin = members.partition_point(|other| other.cell < [x, y, z - 1]);
            let column = members[begin..].iter().take_while(|other| other.cell <= [x, y, z + 1]);
            column.into_iter().any(|other| {
                let way = other.place.distance(member.place);
                way <= reach && member.gap - other.gap > limits.parallel * way
            })
        })
    };
    let mut low: Vec<Start> = members.iter().filter(is_low).map(|member| member.start).collect();
    // In the order in which they came.
    low.sort_unstable_by_key(|start| start.point);
    Some(low)
}
