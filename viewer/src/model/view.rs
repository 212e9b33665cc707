//! What is drawn and how: everything that is remembered from one start to the next.

use drystone_report::inspection::{ColourBy, Explode};
use serde::{Deserialize, Serialize};

/// How bodies are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BodyStyle {
    /// Shaded.
    Solid,
    /// Shaded, with the edges of the shape.
    #[default]
    SolidEdges,
    /// All edges of the triangulation, red, as in the paper.
    Wireframe,
    /// Not at all.
    Hidden,
}

impl BodyStyle {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Solid, Self::SolidEdges, Self::Wireframe, Self::Hidden];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        ["solid", "solid-edges", "wireframe", "hidden"][self as usize]
    }
}

/// With which body a contact is drawn when bodies are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContactsWith {
    /// Once with each, and a thin line between the two.
    #[default]
    Both,
    /// With the first.
    A,
    /// With the second.
    B,
    /// Half-way between.
    Between,
}

impl ContactsWith {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Both, Self::A, Self::B, Self::Between];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        ["both", "a", "b", "between"][self as usize]
    }
}

/// Which contacts are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Show {
    /// All.
    #[default]
    All,
    /// Those that the normal-cone filter keeps.
    Kept,
    /// Those that it rejects or merges, and those whose normal is none that is expected.
    Doubtful,
}

impl Show {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::All, Self::Kept, Self::Doubtful];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        ["all", "kept", "doubtful"][self as usize]
    }
}

/// How one body is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BodyLook {
    /// As all are.
    #[default]
    Usual,
    /// Faint, so that one sees through it.
    Ghost,
    /// Not at all.
    Hidden,
}

/// What is drawn and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// How bodies are drawn.
    pub bodies: BodyStyle,
    /// What contacts are coloured by.
    pub colour: ColourBy,
    /// Which contacts are drawn.
    pub show: Show,
    /// Contact points as small spheres.
    pub points: bool,
    /// Normals as arrows.
    pub normals: bool,
    /// Contact polygons of the semi-local generator as filled areas.
    pub polygons: bool,
    /// How far bodies are in each other, measured by their surfaces in each step that is shown.
    pub overlap: bool,
    /// The size of points, by the usual size.
    pub point_size: f64,
    /// The length of normals, by the usual length.
    pub normal_size: f64,
    /// How far bodies are moved apart.
    pub explode: Explode,
    /// With which body contacts are drawn then.
    pub contacts_with: ContactsWith,
    /// The panel at the side.
    pub panel: bool,
    /// The plots in it.
    pub plots: bool,
    /// What the colours mean.
    pub legend: bool,
    /// Keys and mouse.
    pub help: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            bodies: BodyStyle::SolidEdges,
            colour: ColourBy::Quality,
            show: Show::All,
            points: true,
            normals: true,
            polygons: true,
            overlap: false,
            point_size: 1.0,
            normal_size: 1.0,
            explode: Explode::default(),
            contacts_with: ContactsWith::Both,
            panel: true,
            plots: true,
            legend: true,
            help: false,
        }
    }
}

impl View {
    /// The figures of the paper: red wireframe, blue spheres and arrows.
    pub fn set_paper(&mut self) {
        self.bodies = BodyStyle::Wireframe;
        self.colour = ColourBy::Plain;
        (self.show, self.points, self.normals, self.polygons) = (Show::All, true, true, false);
        self.contacts_with = ContactsWith::Both;
    }

    /// Bodies and contacts as at the first start; what is open stays open.
    pub fn set_default(&mut self) {
        let Self { panel, plots, legend, help, .. } = *self;
        *self = Self { panel, plots, legend, help, ..Self::default() };
    }
}
