//! Surfaces for the tests.

use glam::DVec3;

use super::surface::Surface;

/// An axis-aligned box with quads split along their first–third vertex; half sides in m.
pub(crate) fn cuboid(centre: DVec3, half: DVec3) -> Surface {
    let (vertices, triangles) = cuboid_parts(centre, half);
    Surface::new(vertices, triangles).unwrap()
}

pub(crate) fn cuboid_parts(centre: DVec3, half: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let corner = |s: [f64; 3]| centre + half * DVec3::from_array(s);
    let ring = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let vertices = [1.0, -1.0].iter().flat_map(|&z| ring.map(|[x, y]| corner([x, y, z]))).collect();
    let quads = [[0, 1, 2, 3], [4, 7, 6, 5], [4, 0, 3, 7], [1, 5, 6, 2], [7, 3, 2, 6], [5, 1, 0, 4]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    (vertices, triangles)
}

/// The tetrahedron between the origin and the unit points of the axes.
pub(crate) fn corner_tetrahedron() -> Surface {
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    Surface::new(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap()
}

/// A prism over a counter-clockwise polygon with a given triangulation, 0 ≤ z ≤ 1.
pub(crate) fn prism(polygon: &[[f64; 2]], cap: &[[u32; 3]]) -> Surface {
    let n = polygon.len() as u32;
    let vertices = [0.0, 1.0].iter().flat_map(|&z| polygon.iter().map(move |p| DVec3::new(p[0], p[1], z))).collect();
    let bottom = cap.iter().map(|&[a, b, c]| [a, c, b]);
    let top = cap.iter().map(|t| t.map(|v| v + n));
    let sides = (0..n).flat_map(|i| {
        let j = (i + 1) % n;
        [[i, j, j + n], [i, j + n, i + n]]
    });
    Surface::new(vertices, bottom.chain(top).chain(sides).collect()).unwrap()
}

/// Three unit cubes: star-shaped, volume 3.
pub(crate) fn l_prism() -> Surface {
    let polygon = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    prism(&polygon, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
}

/// Five unit cubes: not star-shaped, volume 5.
pub(crate) fn u_prism() -> Surface {
    let polygon = [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 2.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    prism(&polygon, &[[0, 5, 6], [0, 6, 7], [0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4]])
}

/// A cube of side 2 with a cubic cavity of side 1: volume 7.
pub(crate) fn hollow_box() -> Surface {
    let (vertices, triangles) = hollow_box_parts();
    Surface::new(vertices, triangles).unwrap()
}

pub(crate) fn hollow_box_parts() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (mut vertices, mut triangles) = cuboid_parts(DVec3::ZERO, DVec3::ONE);
    let (inner_vertices, inner_triangles) = cuboid_parts(DVec3::ZERO, DVec3::splat(0.5));
    let first = vertices.len() as u32;
    vertices.extend(inner_vertices);
    triangles.extend(inner_triangles.iter().map(|&[a, b, c]| [a, c, b].map(|v| v + first)));
    (vertices, triangles)
}

/// Unit directions and triangles of an octahedron or icosahedron whose triangles were split in four `level` times.
pub(crate) fn sphere(icosahedron: bool, level: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (mut vertices, mut triangles) = if icosahedron { icosahedron_parts() } else { octahedron_parts() };
    for _ in 0..level {
        let mut middles = std::collections::BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    (vertices, triangles)
}

fn octahedron_parts() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let vertices = vec![DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    let triangles = vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    (vertices, triangles)
}

fn icosahedron_parts() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let g = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let pairs = [[1.0, g], [-1.0, g], [1.0, -g], [-1.0, -g]];
    let cyclic = (0..3).flat_map(|axis| {
        pairs.map(|[s, t]| {
            let mut p = [0.0; 3];
            (p[axis], p[(axis + 1) % 3]) = (s, t);
            DVec3::from_array(p)
        })
    });
    let vertices: Vec<DVec3> = cyclic.map(DVec3::normalize).collect();
    let near = |i: usize, j: usize| (vertices[i] - vertices[j]).length() < 1.1;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(k, i) {
                    let outward = vertices[i].dot(vertices[j].cross(vertices[k])) > 0.0;
                    triangles.push(if outward { [i, j, k] } else { [i, k, j] }.map(|v| v as u32));
                }
            }
        }
    }
    (vertices, triangles)
}

/// A square plate of side 4 with a square hole of side 2, 0 ≤ z ≤ 1.
pub(crate) fn ring() -> Surface {
    let square = |h: f64| [[-h, -h], [h, -h], [h, h], [-h, h]];
    let polygon: Vec<[f64; 2]> = square(2.0).into_iter().chain(square(1.0)).collect();
    let vertices: Vec<DVec3> =
        [0.0, 1.0].iter().flat_map(|&z| polygon.iter().map(move |p| DVec3::new(p[0], p[1], z))).collect();
    let mut triangles = Vec::new();
    for i in 0..4_u32 {
        let j = (i + 1) % 4;
        let (p, q, r, s) = (i, j, j + 4, i + 4);
        let top = |v: u32| v + 8;
        triangles.extend([[p, r, q], [p, s, r], [top(p), top(q), top(r)], [top(p), top(r), top(s)]]);
        triangles.extend([[p, q, top(q)], [p, top(q), top(p)], [s, top(r), r], [s, top(s), top(r)]]);
    }
    Surface::new(vertices, triangles).unwrap()
}

/// The cube of side 2 with each face split into n × n squares of two triangles, and its vertices moved by up to `noise`.
pub(crate) fn split_box(n: u32, noise: f64) -> Surface {
    let mut numbers = std::collections::BTreeMap::new();
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut triangles = Vec::new();
    let mut number = |p: [u32; 3]| {
        *numbers.entry(p).or_insert_with(|| {
            let at = DVec3::from_array(p.map(|x| f64::from(x) * 2.0 / f64::from(n) - 1.0));
            let k = vertices.len() as f64;
            vertices.push(at + noise * DVec3::new((k * 12.9).sin(), (k * 78.2).cos(), (k * 37.7).sin()));
            vertices.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        for side in [0, n] {
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let mut corner = |di: u32, dj: u32| {
                    let mut p = [0; 3];
                    (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (side, i + di, j + dj);
                    number(p)
                };
                let (a, b, c, d) = (corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1));
                let quad = if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                triangles.extend(quad.map(|[p, q, r]| if side == n { [p, q, r] } else { [p, r, q] }));
            }
        }
    }
    Surface::new(vertices, triangles).unwrap()
}
