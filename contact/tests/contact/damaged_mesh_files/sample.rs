//! Valid files of every format, of random bipyramids.

use drystone_contact::split_mix::SplitMix;
use std::f64::consts::TAU;
use std::fmt;

use drystone_contact::shape::mesh_file::gmsh::{self, Encoding, Version};
use drystone_contact::shape::mesh_file::{self, MeshFile, MeshFileError, obj, off, stl, tetgen_files};
use glam::{DQuat, DVec3};

/// A format, with its version and encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Obj,
    Off,
    StlText,
    StlBinary,
    Gmsh2Text,
    Gmsh2Binary,
    Gmsh4Text,
    Gmsh4Binary,
    TetGen,
}

pub const FORMATS: [Format; 9] = [
    Format::Obj,
    Format::Off,
    Format::StlText,
    Format::StlBinary,
    Format::Gmsh2Text,
    Format::Gmsh2Binary,
    Format::Gmsh4Text,
    Format::Gmsh4Binary,
    Format::TetGen,
];

impl Format {
    pub fn is_binary(self) -> bool {
        matches!(self, Self::StlBinary | Self::Gmsh2Binary | Self::Gmsh4Binary)
    }

    pub fn is_gmsh(self) -> bool {
        matches!(self, Self::Gmsh2Text | Self::Gmsh2Binary | Self::Gmsh4Text | Self::Gmsh4Binary)
    }

    pub fn is_stl(self) -> bool {
        matches!(self, Self::StlText | Self::StlBinary)
    }
}

/// A file's bytes; three of them for TetGen: `.node`, `.ele`, `.face`.
#[derive(Clone)]
pub struct Sample {
    pub format: Format,
    pub parts: Vec<Vec<u8>>,
}

impl Sample {
    pub fn new(format: Format, mesh: &MeshFile) -> Self {
        let surface = MeshFile { tetrahedra: Vec::new(), ..mesh.clone() };
        let of_gmsh = |version, encoding| vec![gmsh::encode(mesh, version, encoding).unwrap()];
        let parts = match format {
            Format::Obj => vec![obj::encode(&surface).unwrap()],
            Format::Off => vec![off::encode(&surface).unwrap()],
            Format::StlText => vec![stl::encode_text(&surface).unwrap()],
            Format::StlBinary => vec![stl::encode_binary(&surface).unwrap()],
            Format::Gmsh2Text => of_gmsh(Version::V2_2, Encoding::Text),
            Format::Gmsh2Binary => of_gmsh(Version::V2_2, Encoding::Binary),
            Format::Gmsh4Text => of_gmsh(Version::V4_1, Encoding::Text),
            Format::Gmsh4Binary => of_gmsh(Version::V4_1, Encoding::Binary),
            Format::TetGen => {
                let files = tetgen_files::encode(mesh).unwrap();
                vec![files.node, files.ele, files.face]
            }
        };
        Self { format, parts }
    }

    pub fn read(&self) -> Result<MeshFile, MeshFileError> {
        let format = match self.format {
            Format::Obj => mesh_file::Format::Obj,
            Format::Off => mesh_file::Format::Off,
            Format::StlText | Format::StlBinary => mesh_file::Format::Stl,
            Format::TetGen => {
                return tetgen_files::parse(&self.parts[0], Some(&self.parts[1]), Some(&self.parts[2]));
            }
            _ => mesh_file::Format::Gmsh,
        };
        mesh_file::parse(&self.parts[0], format)
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| writeln!(f, "{}", part.escape_ascii().to_string().replace("\\n", "\n")))
    }
}

/// A closed surface of two cones over one star-shaped ring, filled by tetrahedra about the axis. Vertex 0 is the top,
/// vertex 1 the bottom.
pub fn bipyramid(random: &mut Random) -> MeshFile {
    let sides = 3 + random.below(8) as u32;
    let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), random.between(0.1, 3.0));
    let offset = DVec3::new(random.between(-2.0, 2.0), random.between(-2.0, 2.0), random.between(-2.0, 2.0));
    let mut vertices = vec![DVec3::Z * random.between(0.3, 2.0), DVec3::Z * random.between(-2.0, -0.3)];
    for side in 0..sides {
        let angle = TAU * f64::from(side) / f64::from(sides);
        vertices.push(random.between(0.4, 1.5) * DVec3::new(angle.cos(), angle.sin(), 0.0));
    }
    for vertex in &mut vertices {
        *vertex = turn * *vertex + offset;
    }
    let ring = |side: u32| (2 + side, 2 + (side + 1) % sides);
    let (mut triangles, mut tetrahedra) = (Vec::new(), Vec::new());
    for (a, b) in (0..sides).map(ring) {
        triangles.extend([[a, b, 0], [b, a, 1]]);
        tetrahedra.push([0, 1, a, b]);
    }
    MeshFile { vertices, triangles, tetrahedra }
}

/// Random numbers, the same on every machine.
pub struct Random(SplitMix);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next_bits()
    }

    /// From 0 to one less than the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.next_below(bound)
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.next_between(low, high)
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
