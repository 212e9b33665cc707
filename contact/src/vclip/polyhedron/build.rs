//! From points and faces to a checked polyhedron without superfluous features.

use std::collections::BTreeMap;

use glam::DVec3;

use super::{ConvexPolyhedron, Edge, Face, Plane, Side, Spoke};
use crate::sorting::{CompactSort, inserted};

/// Corners no farther from a plane than this share of the size lie in it: what rounding leaves of coordinates that were
/// computed in a few steps.
const FLAT: f64 = 1e-14;

/// No vertex may stand out of a face's plane by more than this share of the size: rounding of a wide face whose corners
/// have made their plane by a short side.
const CONVEX: f64 = 1e-11;

/// Sizes and distances from the origin, m, whose products of six lengths, squares of volumes, are numbers of full precision.
const SIZES: [f64; 2] = [1e-50, 1e50];

/// Why there is no polyhedron.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolyhedronError {
    /// Too little to enclose a volume.
    #[error("{points} points and {faces} faces enclose no volume; a polyhedron has at least four of each")]
    TooFew {
        /// How many points there are.
        points: usize,
        /// How many faces there are.
        faces: usize,
    },
    /// A coordinate is no number.
    #[error("point {point} has coordinates that are not finite")]
    NotFinite {
        /// Which point.
        point: usize,
    },
    /// Coordinates whose products are no numbers of full precision any more.
    #[error(
        "the coordinates are up to {size:e} m large; they have to be between {least:e} and {most:e} m: scale the lengths"
    )]
    Size {
        /// The largest coordinate or side of the box around the points, m.
        size: f64,
        /// The limits of that, m.
        least: f64,
        /// See `least`.
        most: f64,
    },
    /// A face names a point that is not there, or fewer than three, or one twice.
    #[error(
        "face {face} is no polygon: it has fewer than three corners, one twice, or one that is not among the points"
    )]
    Polygon {
        /// Which face.
        face: usize,
    },
    /// A side of a face is not the side of exactly one other, run through the other way.
    #[error(
        "the side from point {from} to point {to} of face {face} belongs to one face only, or faces run the same way \
         along it; faces must close the surface and all run counter-clockwise seen from outside"
    )]
    Open {
        /// Which face.
        face: usize,
        /// Where the side begins.
        from: u32,
        /// Where it ends.
        to: u32,
    },
    /// A face without area, or faces without a volume between them.
    #[error("face {face} has no area or the faces enclose no volume")]
    Flat {
        /// Which face.
        face: usize,
    },
    /// All points are so near the plane of a face that rounding decides which of them are corners.
    #[error(
        "the solid is {thickness:e} m thick behind face {face}; for its size and distance from the origin it has to be thicker \
         than {least:e} m"
    )]
    Thin {
        /// Which face.
        face: usize,
        /// How deep the deepest point is below the face's plane, m.
        thickness: f64,
        /// What can be told from rounding, m.
        least: f64,
    },
    /// A point is outside a face.
    #[error("point {point} is {height:e} m outside face {face}; the solid is not convex, or inside out")]
    NotConvex {
        /// Which point.
        point: u32,
        /// Which face.
        face: usize,
        /// How far, m.
        height: f64,
    },
}

impl ConvexPolyhedron {
    /// A polyhedron from points (m) and faces: plane convex polygons, counter-clockwise seen from outside, that close
    /// the surface. Faces in one plane become one; points that are no corners are left out.
    ///
    /// # Errors
    /// [`PolyhedronError`] says which face or point is wrong.
    pub fn new(points: &[DVec3], faces: &[Vec<u32>]) -> Result<Self, PolyhedronError> {
        check(points, faces)?;
        let low = points.iter().copied().fold(points[0], DVec3::min);
        let high = points.iter().copied().fold(points[0], DVec3::max);
        let size = (high - low).max_element().max(low.abs().max(high.abs()).max_element());
        let [least, most] = SIZES;
        // Points that are all at the origin have no area, whatever their scale.
        if size > 0.0 && !(least..=most).contains(&size) {
            return Err(PolyhedronError::Size { size, least, most });
        }
        let planes: Vec<Plane> =
            faces.iter().enumerate().map(|(f, face)| plane(points, face, f, size)).collect::<Result<_, _>>()?;
        let across = neighbours(faces)?;
        let group = merged(points, faces, &planes, &across, FLAT * size);
        let outlines = outlines(faces, &across, &group);
        let outlines = without_straight_corners(outlines);
        if outlines.len() < 4 {
            return Err(PolyhedronError::Flat { face: 0 });
        }
        let planes: Vec<Plane> =
            outlines.iter().map(|(face, outline)| plane(points, outline, *face, size)).collect::<Result<_, _>>()?;
        for ((face, _), plane) in outlines.iter().zip(&planes) {
            for (point, &p) in (0_u32..).zip(points) {
                let height = plane.height(p);
                if height > CONVEX * size {
                    return Err(PolyhedronError::NotConvex { point, face: *face, height });
                }
            }
            let thickness = -points.iter().map(|&p| plane.height(p)).fold(0.0, f64::min);
            if thickness <= CONVEX * size {
                return Err(PolyhedronError::Thin { face: *face, thickness, least: CONVEX * size });
            }
        }
        assemble(points, &outlines, planes)
    }
}

fn check(points: &[DVec3], faces: &[Vec<u32>]) -> Result<(), PolyhedronError> {
    if points.len() < 4 || faces.len() < 4 {
        return Err(PolyhedronError::TooFew { points: points.len(), faces: faces.len() });
    }
    if let Some(point) = points.iter().position(|p| !p.is_finite()) {
        return Err(PolyhedronError::NotFinite { point });
    }
    let is_polygon = |face: &Vec<u32>| {
        let mut corners = face.clone();
        corners.sort_unstable();
        corners.dedup();
        face.len() >= 3 && corners.len() == face.len() && corners.last().is_some_and(|&c| (c as usize) < points.len())
    };
    match faces.iter().position(|face| !is_polygon(face)) {
        Some(face) => Err(PolyhedronError::Polygon { face }),
        None => Ok(()),
    }
}

/// The plane of a polygon, through its corners on average and no deeper than the outermost of them.
fn plane(points: &[DVec3], outline: &[u32], face: usize, size: f64) -> Result<Plane, PolyhedronError> {
    let corner = |k: usize| points[outline[k % outline.len()] as usize];
    // Newell's sum, about a corner so that little cancels.
    let origin = corner(0);
    let area: DVec3 = (1..outline.len() - 1).map(|k| (corner(k) - origin).cross(corner(k + 1) - origin)).sum();
    let normal = area.normalize_or_zero();
    if normal == DVec3::ZERO || area.length() <= f64::EPSILON * f64::EPSILON * size * size {
        return Err(PolyhedronError::Flat { face });
    }
    let offset = (0..outline.len()).map(|k| normal.dot(corner(k))).fold(f64::NEG_INFINITY, f64::max);
    Ok(Plane { normal, offset })
}

/// Each side of each face by its ends, with the face: `across[(to, from)]` is the face on the other side.
fn neighbours(faces: &[Vec<u32>]) -> Result<BTreeMap<(u32, u32), usize>, PolyhedronError> {
    let sides =
        |face: &[u32]| -> Vec<(u32, u32)> { (0..face.len()).map(|k| (face[k], face[(k + 1) % face.len()])).collect() };
    let mut across = BTreeMap::new();
    for (f, face) in faces.iter().enumerate() {
        for (from, to) in sides(face) {
            if across.insert((from, to), f).is_some() {
                return Err(PolyhedronError::Open { face: f, from, to });
            }
        }
    }
    match across.iter().find(|((from, to), _)| !across.contains_key(&(*to, *from))) {
        Some((&(from, to), &face)) => Err(PolyhedronError::Open { face, from, to }),
        None => Ok(across),
    }
}

/// The group of each face: faces that lie in one plane with a neighbour are in its group. A group is a plane: a face joins
/// it if all of its corners lie in the plane of the group's first, which is its largest.
fn merged(
    points: &[DVec3],
    faces: &[Vec<u32>],
    planes: &[Plane],
    across: &BTreeMap<(u32, u32), usize>,
    tolerance: f64,
) -> Vec<usize> {
    let extent = |f: usize| -> f64 {
        let first = points[faces[f][0] as usize];
        faces[f].windows(2).map(|w| (points[w[0] as usize] - first).cross(points[w[1] as usize] - first).length()).sum()
    };
    let mut order: Vec<usize> = (0..faces.len()).collect();
    order.compact_sort_by(|&f, &g| extent(g).total_cmp(&extent(f)).then(f.cmp(&g)));
    let mut group = vec![usize::MAX; faces.len()];
    for seed in order {
        if group[seed] != usize::MAX {
            continue;
        }
        group[seed] = seed;
        let mut stack = vec![seed];
        while let Some(f) = stack.pop() {
            for k in 0..faces[f].len() {
                let (from, to) = (faces[f][k], faces[f][(k + 1) % faces[f].len()]);
                let g = across[&(to, from)];
                let is_in_plane = |&v: &u32| planes[seed].height(points[v as usize]).abs() <= tolerance;
                if group[g] == usize::MAX
                    && planes[g].normal.dot(planes[seed].normal) > 0.0
                    && faces[g].iter().all(is_in_plane)
                {
                    group[g] = seed;
                    stack.push(g);
                }
            }
        }
    }
    group
}

/// The border of each group, counter-clockwise, with the first face of the group; groups in the order of their first.
fn outlines(faces: &[Vec<u32>], across: &BTreeMap<(u32, u32), usize>, group: &[usize]) -> Vec<(usize, Vec<u32>)> {
    let mut next: BTreeMap<usize, BTreeMap<u32, u32>> = BTreeMap::new();
    for (f, face) in faces.iter().enumerate() {
        for k in 0..face.len() {
            let (from, to) = (face[k], face[(k + 1) % face.len()]);
            if group[across[&(to, from)]] != group[f] {
                next.entry(group[f]).or_default().insert(from, to);
            }
        }
    }
    let outline = |next: &BTreeMap<u32, u32>| {
        let Some((&start, _)) = next.first_key_value() else { return Vec::new() };
        let mut outline = vec![start];
        let mut at = next[&start];
        // A border that does not close ends after as many sides as there are.
        while at != start && outline.len() <= next.len() {
            outline.push(at);
            at = next.get(&at).copied().unwrap_or(start);
        }
        outline
    };
    next.iter().map(|(&first, next)| (first, outline(next))).collect()
}

/// Leaves out the corners that only two outlines have: there the border goes straight on.
fn without_straight_corners(outlines: Vec<(usize, Vec<u32>)>) -> Vec<(usize, Vec<u32>)> {
    let mut uses: BTreeMap<u32, usize> = BTreeMap::new();
    outlines.iter().flat_map(|(_, outline)| outline).for_each(|&v| *uses.entry(v).or_default() += 1);
    let kept = outlines.into_iter().map(|(face, mut outline)| {
        outline.retain(|v| uses[v] > 2);
        (face, outline)
    });
    kept.filter(|(_, outline)| outline.len() > 2).collect()
}

fn assemble(
    points: &[DVec3],
    outlines: &[(usize, Vec<u32>)],
    planes: Vec<Plane>,
) -> Result<ConvexPolyhedron, PolyhedronError> {
    let mut origins: Vec<u32> = outlines.iter().flat_map(|(_, outline)| outline.iter().copied()).collect();
    origins.sort_unstable();
    origins.dedup();
    let number: BTreeMap<u32, u32> = inserted(origins.iter().copied().zip(0..));
    let vertices: Vec<DVec3> = origins.iter().map(|&v| points[v as usize]).collect();

    let mut edge_of: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut edges: Vec<Edge> = Vec::new();
    let mut sides: Vec<Side> = Vec::new();
    let mut faces: Vec<Face> = Vec::new();
    for (f, ((_, outline), plane)) in (0_u32..).zip(outlines.iter().zip(planes)) {
        let first_side = sides.len() as u32;
        for k in 0..outline.len() {
            let (from, to) = (number[&outline[k]], number[&outline[(k + 1) % outline.len()]]);
            let ends = (from.min(to), from.max(to));
            let edge = *edge_of.entry(ends).or_insert(edges.len() as u32);
            if edge as usize == edges.len() {
                let along = vertices[ends.1 as usize] - vertices[ends.0 as usize];
                let empty = Plane { normal: DVec3::ZERO, offset: 0.0 };
                edges.push(Edge {
                    ends: [ends.0, ends.1],
                    faces: [u32::MAX; 2],
                    direction: along.normalize_or_zero(),
                    length: along.length(),
                    planes: [empty; 4],
                });
            }
            let own = &mut edges[edge as usize];
            let side = usize::from(from != own.ends[0]);
            own.faces[side] = f;
            let inward = plane.normal.cross(own.direction) * if side == 0 { 1.0 } else { -1.0 };
            let plane = Plane { normal: inward, offset: inward.dot(vertices[own.ends[0] as usize]) };
            own.planes[2 + side] = plane.flipped();
            sides.push(Side { plane, edge, corner: from });
        }
        faces.push(Face { plane, first_side, side_count: outline.len() as u32 });
    }
    if let Some(edge) = edges.iter().find(|e| e.faces.contains(&u32::MAX) || e.direction == DVec3::ZERO) {
        let face = edge.faces.iter().copied().min().unwrap_or(0) as usize;
        return Err(PolyhedronError::Flat { face: outlines.get(face).map_or(0, |(first, _)| *first) });
    }
    let mut spokes_of: Vec<Vec<Spoke>> = vec![Vec::new(); vertices.len()];
    for (e, edge) in (0_u32..).zip(&mut edges) {
        let [tail, head] = edge.ends;
        let across = |v: u32, normal: DVec3| Plane { normal, offset: normal.dot(vertices[v as usize]) };
        edge.planes[0] = across(tail, edge.direction);
        edge.planes[1] = across(head, -edge.direction);
        spokes_of[tail as usize].push(Spoke { plane: edge.planes[0].flipped(), edge: e, far: head });
        spokes_of[head as usize].push(Spoke { plane: edge.planes[1].flipped(), edge: e, far: tail });
    }
    let mut first_spokes = vec![0];
    first_spokes.extend(spokes_of.iter().scan(0, |sum, spokes| {
        *sum += spokes.len() as u32;
        Some(*sum)
    }));
    let centre = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
    let radius = vertices.iter().map(|v| v.distance(centre)).fold(0.0, f64::max);
    let reach = radius + centre.length();
    let spokes = spokes_of.into_iter().flatten().collect();
    let surroundings = None;
    Ok(ConvexPolyhedron {
        vertices,
        origins,
        first_spokes,
        spokes,
        edges,
        faces,
        sides,
        centre,
        radius,
        reach,
        surroundings,
    })
}
