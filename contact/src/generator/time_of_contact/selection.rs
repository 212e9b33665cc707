//! Few contacts for many points: of those in one plane the corners of the area that they cover.

use glam::DVec3;

use super::Buffers;
use super::meeting::{Limits, Meeting};
use crate::sorting::CompactSort;

/// Contacts of one plane at most.
const CORNERS: usize = 8;

/// Meetings nearer to each other than this share of the envelope are one.
const SAME: f64 = 0.05;

/// Chooses among the meetings; what is kept is in `kept`, in order.
pub fn select(limits: &Limits, buffers: &mut Buffers) {
    let Buffers { meetings, group, kept, .. } = buffers;
    kept.clear();
    let mut rest: Vec<u32> = (0..meetings.len() as u32).collect();
    // The earliest first, of those at one time the deepest.
    rest.compact_sort_by(|&i, &j| {
        let key = |k: u32| &meetings[k as usize];
        let (a, b) = (key(i), key(j));
        a.time.total_cmp(&b.time).then(a.gap.total_cmp(&b.gap)).then(i.cmp(&j))
    });
    while let Some(&first) = rest.first() {
        let lead = meetings[first as usize];
        let is_in_plane = |k: u32| {
            if k == first {
                return true;
            }
            let other = &meetings[k as usize];
            let way = other.place - lead.place;
            other.normal.distance(lead.normal) <= limits.parallel
                && (other.gap - lead.gap).abs() <= limits.envelope + limits.parallel * way.length()
        };
        group.clear();
        group.extend(rest.iter().copied().filter(|&k| is_in_plane(k)));
        rest.retain(|&k| !is_in_plane(k));
        corners(meetings, group, SAME * limits.envelope, kept);
    }
    kept.sort_unstable();
}

/// Keeps the first of a group, then again and again the one farthest from those kept.
fn corners(meetings: &[Meeting], group: &[u32], same: f64, kept: &mut Vec<u32>) {
    let place = |k: u32| -> DVec3 { meetings[k as usize].place };
    let begin = kept.len();
    kept.push(group[0]);
    while kept.len() - begin < CORNERS {
        let far = |k: u32| kept[begin..].iter().map(|&own| place(own).distance(place(k))).fold(f64::INFINITY, f64::min);
        let mut best: Option<(f64, u32)> = None;
        for &k in group {
            let distance = far(k);
            if best.is_none_or(|(known, _)| distance > known) {
                best = Some((distance, k));
            }
        }
        match best {
            Some((distance, k)) if distance > same => kept.push(k),
            _ => break,
        }
    }
}
