//! Which edges of two near facets reach the plane of the other facet: no other ones touch it, or an edge at it.

use super::candidate::View;
use super::facet_edge::ends;

/// The edges of pairs of facets that reach the other facet.
#[derive(Clone, Debug, Default)]
pub struct Reaching {
    edges: Vec<u32>,
    /// Where the edges of A of each pair end, and those of B behind them.
    ends: Vec<[u32; 2]>,
}

impl Reaching {
    /// Finds the edges that are looked at with each pair of facets. `views` are those of A and of B.
    pub fn find(&mut self, views: [&View<'_>; 2], pairs: &[(u32, u32)]) {
        let Self { edges, ends } = self;
        edges.clear();
        ends.clear();
        let [view, exchanged] = views;
        for &(f, g) in pairs {
            edges.extend(view.own.owned_edges(f).iter().filter(|&&e| reaches(exchanged, g, e)));
            let end = edges.len() as u32;
            edges.extend(view.other.owned_edges(g).iter().filter(|&&e| reaches(view, f, e)));
            ends.push([end, edges.len() as u32]);
        }
    }

    /// Those of A and of B of each pair, in the order of the pairs.
    pub fn lists(&self) -> impl Iterator<Item = [&[u32]; 2]> {
        let mut start = 0;
        self.ends.iter().map(move |&[middle, end]| {
            let first = std::mem::replace(&mut start, end);
            let list = |from: u32, to: u32| &self.edges[from as usize..to as usize];
            [list(first, middle), list(middle, end)]
        })
    }
}

/// Whether edge e (other) comes into the range of heights over the plane of facet f (own) in which features touch.
fn reaches(view: &View<'_>, f: u32, e: u32) -> bool {
    let facet = &view.own.facets()[f as usize];
    let [p, q] = ends(view, e).map(|end| facet.height(end));
    p.min(q) <= view.limits.envelope && p.max(q) >= -view.limits.depth
}
