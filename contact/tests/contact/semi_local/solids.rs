//! Random solids: convex and not, thick and thin, planes and noise.

use drystone_contact::shape::{Shape, Surface, TetrahedralMesh, TetrahedralizationSettings, Tetrahedralizer};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;

use super::random::Random;

/// Of each kind one in its turn.
pub fn any(random: &mut Random) -> Shape {
    let kinds = [cuboid, hull, prism, star, polycube, jagged_polycube, letter, ring];
    let kind: fn(&mut Random) -> Option<Shape> = kinds[random.below(kinds.len())];
    loop {
        if let Some(shape) = kind(random) {
            return shape;
        }
    }
}

/// One of any kind whose neighbouring faces lie in one plane or turn by more than an angle of 0.06 rad: which of two planes that
/// are nearly one is reported is left to the generator.
pub fn distinct(random: &mut Random) -> Shape {
    loop {
        let shape = any(random);
        let surface = shape.surface().unwrap();
        let normal = |t: u32| surface.normals()[t as usize];
        let angles = surface.edges().iter().map(|e| normal(e.triangles[0]).cross(normal(e.triangles[1])).length());
        if angles.filter(|&sine| sine > 1e-9).all(|sine| sine > 0.06) {
            return shape;
        }
    }
}

/// One with thin walls and slots.
pub fn thin(random: &mut Random) -> Shape {
    loop {
        if let Some(shape) = finned(random) {
            return shape;
        }
    }
}

/// One whose faces lie in the planes of a lattice.
pub fn on_lattice(random: &mut Random) -> Shape {
    loop {
        let cells = 1 + random.below(7);
        if let Some(shape) = blocks(&grow(random, [3; 3], cells), &[[0.0, 1.0, 2.0, 3.0]; 3], |p| p) {
            return shape;
        }
    }
}

/// A surface filled by a cone.
pub fn filled(surface: &Surface) -> Option<Shape> {
    let settings =
        TetrahedralizationSettings { tetrahedralizer: Tetrahedralizer::Cone, ..TetrahedralizationSettings::default() };
    Shape::from_surface(surface, &settings).ok()
}

fn sides(random: &mut Random) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| random.magnitude(0.1, 1.0)))
}

/// A box: a cube, a plate, a needle.
pub fn cuboid(random: &mut Random) -> Option<Shape> {
    let [x, y, z] = sides(random).to_array();
    blocks(&[[0, 0, 0]], &[[0.0, x, 2.0 * x, 3.0 * x], [0.0, y, 2.0 * y, 3.0 * y], [0.0, z, 2.0 * z, 3.0 * z]], |p| p)
}

/// The hull of a few random points, by brute force.
pub fn hull(random: &mut Random) -> Option<Shape> {
    let (count, size) = (4 + random.below(16), sides(random));
    let on_sphere = random.chance(0.5);
    let points: Vec<DVec3> =
        (0..count).map(|_| size * if on_sphere { random.direction() } else { random.point() }).collect();
    let mut triangles = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            for k in j + 1..count {
                let normal = (points[j] - points[i]).cross(points[k] - points[i]);
                let others =
                    || (0..count).filter(|l| ![i, j, k].contains(l)).map(|l| normal.dot(points[l] - points[i]));
                if others().all(|h| h < 0.0) {
                    triangles.push([i, j, k]);
                } else if others().all(|h| h > 0.0) {
                    triangles.push([i, k, j]);
                }
            }
        }
    }
    let used: Vec<usize> = (0..count).filter(|v| triangles.iter().any(|t| t.contains(v))).collect();
    let number = |v: usize| used.iter().position(|&u| u == v).map(|n| n as u32);
    let triangles: Option<Vec<[u32; 3]>> =
        triangles.iter().map(|&[i, j, k]| Some([number(i)?, number(j)?, number(k)?])).collect();
    filled(&Surface::new(used.iter().map(|&v| points[v]).collect(), triangles?).ok()?)
}

/// A prism over a regular polygon, or a frustum.
pub fn prism(random: &mut Random) -> Option<Shape> {
    let n = 3 + random.below(8) as u32;
    let (radius, height) = (random.magnitude(0.1, 1.0), random.magnitude(0.1, 1.0));
    let taper = if random.chance(0.5) { 1.0 } else { random.between(0.3, 1.0) };
    let corner = |i: u32, r: f64| DVec2::from_angle(std::f64::consts::TAU * f64::from(i) / f64::from(n)) * r;
    let vertices = (0..n)
        .map(|i| corner(i, radius).extend(0.0))
        .chain((0..n).map(|i| corner(i, radius * taper).extend(height)))
        .collect();
    let start = random.below(n as usize) as u32;
    let fan = |i: u32| [start, (start + i) % n, (start + i + 1) % n];
    let caps = (1..n - 1).map(fan).flat_map(|[a, b, c]| [[a, c, b], [a + n, b + n, c + n]]);
    let walls = (0..n).flat_map(|i| {
        let j = (i + 1) % n;
        if random.chance(0.5) { [[i, j, j + n], [i, j + n, i + n]] } else { [[i, j, i + n], [j, j + n, i + n]] }
    });
    let triangles = caps.chain(walls).collect();
    filled(&Surface::new(vertices, triangles).ok()?)
}

/// An octahedron whose triangles were split in four `level` times, its vertices on the unit sphere.
fn sphere(level: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut vertices: Vec<DVec3> = vec![DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    let mut triangles = vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..level {
        let mut middles = BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        let split = |[a, b, c]: [u32; 3]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    (vertices, triangles)
}

/// A ball of radius 1 m with 8 · 4^level triangles.
pub fn ball(level: u32) -> Shape {
    let (vertices, triangles) = sphere(level);
    filled(&Surface::new(vertices, triangles).unwrap()).unwrap()
}

/// A sphere of 32 triangles with dents and horns.
pub fn star(random: &mut Random) -> Option<Shape> {
    let size = sides(random);
    let least = random.between(0.3, 0.9);
    let (vertices, triangles) = sphere(1);
    let vertices = vertices.into_iter().map(|v| size * v * random.between(least, 1.0)).collect();
    filled(&Surface::new(vertices, triangles).ok()?)
}

/// Blocks of a grid with uneven spacing: reflex edges, saddles, pits, tunnels.
pub fn polycube(random: &mut Random) -> Option<Shape> {
    let cells = 2 + random.below(8);
    let planes = planes(random);
    blocks(&grow(random, [3; 3], cells), &planes, |p| p)
}

/// Blocks with plates and slots as thin as a fiftieth of them.
pub fn finned(random: &mut Random) -> Option<Shape> {
    let cells = 3 + random.below(10);
    let planes = [0; 3].map(|_| {
        let mut at = 0.0;
        [0; 4].map(|_| {
            at += random.magnitude(0.02, 1.0);
            at
        })
    });
    blocks(&grow(random, [3; 3], cells), &planes, |p| p)
}

/// The same with its vertices moved, so that hardly two triangles lie in a plane.
pub fn jagged_polycube(random: &mut Random) -> Option<Shape> {
    let cells = 1 + random.below(5);
    let (planes, noise) = (planes(random), random.magnitude(0.01, 0.2));
    let step = planes.iter().flat_map(|p| p.windows(2).map(|w| w[1] - w[0])).fold(f64::INFINITY, f64::min);
    blocks(&grow(random, [3; 3], cells), &planes, |p| p + random.point() * (noise * step))
}

/// An L, a U, a T or a cross, sheared or not.
pub fn letter(random: &mut Random) -> Option<Shape> {
    let letters: [&[[usize; 2]]; 4] = [
        &[[0, 0], [1, 0], [0, 1]],
        &[[0, 0], [1, 0], [2, 0], [0, 1], [2, 1]],
        &[[0, 0], [1, 0], [2, 0], [1, 1], [1, 2]],
        &[[1, 0], [0, 1], [1, 1], [2, 1], [1, 2]],
    ];
    let cells: Vec<[usize; 3]> = letters[random.below(4)].iter().map(|&[i, j]| [i, j, 0]).collect();
    let shear = if random.chance(0.5) { DVec3::ZERO } else { random.point() * 0.7 };
    let planes = planes(random);
    blocks(&cells, &planes, |p| p + DVec3::new(shear.x * p.y, 0.0, 0.0) + DVec3::new(shear.y, shear.z, 0.0) * p.z)
}

/// A plate with a hole.
pub fn ring(random: &mut Random) -> Option<Shape> {
    let cells: Vec<[usize; 3]> = (0..9).map(|i| [i % 3, i / 3, 0]).filter(|&[i, j, _]| [i, j] != [1, 1]).collect();
    let planes = planes(random);
    blocks(&cells, &planes, |p| p)
}

/// Coordinates of the planes of a grid, m.
fn planes(random: &mut Random) -> [[f64; 4]; 3] {
    [0; 3].map(|_| {
        let size = random.magnitude(0.3, 1.0);
        let mut at = 0.0;
        [0; 4].map(|_| {
            at += size * random.between(0.2, 1.0);
            at
        })
    })
}

/// Cells that hang together by faces.
pub fn grow(random: &mut Random, size: [usize; 3], count: usize) -> Vec<[usize; 3]> {
    let mut cells = vec![[0; 3].map(|_| random.below(3))];
    while cells.len() < count {
        let mut cell = cells[random.below(cells.len())];
        let axis = random.below(3);
        cell[axis] = if random.chance(0.5) { cell[axis] + 1 } else { cell[axis].wrapping_sub(1) };
        if cell[axis] < size[axis] && !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    cells
}

/// The cells of a grid, six tetrahedra each; `None` if that is no manifold.
pub fn blocks(cells: &[[usize; 3]], planes: &[[f64; 4]; 3], mut place: impl FnMut(DVec3) -> DVec3) -> Option<Shape> {
    let mut numbers = BTreeMap::new();
    let mut vertices = Vec::new();
    let mut tetrahedra = Vec::new();
    for &cell in cells {
        for [first, second] in [[0, 1], [1, 2], [2, 0], [1, 0], [2, 1], [0, 2]] {
            let mut corner = cell;
            let mut tetrahedron = [0; 4];
            for k in 0..4 {
                tetrahedron[k] = *numbers.entry(corner).or_insert_with(|| {
                    let at = DVec3::new(planes[0][corner[0]], planes[1][corner[1]], planes[2][corner[2]]);
                    vertices.push(place(at));
                    vertices.len() as u32 - 1
                });
                if k < 3 {
                    corner[[first, second, 3 - first - second][k]] += 1;
                }
            }
            if (second + 3 - first) % 3 == 2 {
                tetrahedron.swap(2, 3);
            }
            tetrahedra.push(tetrahedron);
        }
    }
    TetrahedralMesh::new(vertices, tetrahedra).ok().map(Shape::from_mesh)
}

/// The same solid with every length multiplied.
pub fn scaled(shape: &Shape, factor: f64) -> Option<Shape> {
    let vertices = shape.as_polyhedron().unwrap().mesh().unwrap().vertices().iter().map(|v| *v * factor).collect();
    TetrahedralMesh::new(vertices, shape.as_polyhedron().unwrap().mesh().unwrap().tetrahedra().to_vec())
        .ok()
        .map(Shape::from_mesh)
}

/// The same solid, with some edges of its tetrahedra split where it pleases.
pub fn split(shape: &Shape, random: &mut Random, times: usize) -> Option<Shape> {
    let mut vertices = shape.as_polyhedron().unwrap().mesh().unwrap().vertices().to_vec();
    let mut tetrahedra = shape.as_polyhedron().unwrap().mesh().unwrap().tetrahedra().to_vec();
    for _ in 0..times {
        let t = tetrahedra[random.below(tetrahedra.len())];
        let first = random.below(4);
        let (a, b) = (t[first], t[(first + 1 + random.below(3)) % 4]);
        let middle = vertices.len() as u32;
        vertices.push(vertices[a as usize].lerp(vertices[b as usize], random.between(0.3, 0.7)));
        tetrahedra = tetrahedra
            .into_iter()
            .flat_map(|t| {
                let with = |old: u32| t.map(|v| if v == old { middle } else { v });
                if t.contains(&a) && t.contains(&b) { vec![with(a), with(b)] } else { vec![t] }
            })
            .collect();
    }
    TetrahedralMesh::new(vertices, tetrahedra).ok().map(Shape::from_mesh)
}
