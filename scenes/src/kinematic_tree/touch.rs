//! Which geoms touch, and with which friction, in terms of the engine: groups of bodies and materials.

use drystone_engine::{Friction, Groups, Interaction, MaterialId, MaterialTable};

use super::error::{TreeError, TreeProblem};
use super::model::{Geom, Model, Touch};
use super::note::Notes;

/// So many kinds of bodies fit into the groups of the engine.
const MOST_CLASSES: usize = 32;

/// So many combinations of masks, and of coefficients of friction, are compared with each other.
const MOST_COMBINATIONS: usize = 1000;

/// Classes of geoms that touch the same ones, and their materials.
#[derive(Debug)]
pub struct Touches {
    /// The masks of the geoms, and the class of each.
    masks: Vec<([u32; 2], usize)>,
    /// What a class touches, one class a bit.
    with: Vec<u32>,
    surfaces: Vec<Touch>,
    pub materials: MaterialTable,
}

impl Touches {
    /// Of all geoms of a model.
    pub fn new(model: &Model, notes: &mut Notes) -> Result<Self, TreeError> {
        let mut masks: Vec<[u32; 2]> = Vec::new();
        let mut touches =
            Self { masks: Vec::new(), with: Vec::new(), surfaces: Vec::new(), materials: MaterialTable::new() };
        let Some(first) = model.links.first() else { return Ok(touches) };
        let mut rolling = None;
        for geom in model.links.iter().flat_map(|link| &link.geoms).filter(|geom| geom.collides()) {
            let mask = [geom.touch.kind, geom.touch.with];
            if !masks.contains(&mask) {
                masks.push(mask);
            }
            let surface = surface(&geom.touch);
            if !touches.surfaces.contains(&surface) {
                touches.surfaces.push(surface);
            }
            if masks.len().max(touches.surfaces.len()) > MOST_COMBINATIONS {
                let what =
                    format!("more than {MOST_COMBINATIONS} combinations of contype and conaffinity, or of friction");
                return Err(TreeError::new(geom.place.clone(), TreeProblem::unsupported(what, "use fewer of them")));
            }
            if geom.touch.dimensions >= 6 && geom.touch.friction[2] > 0.0 {
                rolling = rolling.or(Some(geom.place.clone()));
            }
        }
        if let Some(place) = rolling {
            notes.at(
                place,
                "rolling friction (condim 6) was left out: contacts here have sliding and drilling friction".into(),
            );
        }
        let touch = |a: &[u32; 2], b: &[u32; 2]| a[0] & b[1] != 0 || b[0] & a[1] != 0;
        let rows: Vec<Vec<bool>> = masks.iter().map(|a| masks.iter().map(|b| touch(a, b)).collect()).collect();
        // Geoms that touch the same ones are of one class.
        let mut classes: Vec<usize> = Vec::new();
        for (mask, row) in masks.iter().zip(&rows) {
            let class = classes.iter().position(|&known| rows[known] == *row);
            let class = class.unwrap_or_else(|| {
                classes.push(touches.masks.len());
                classes.len() - 1
            });
            touches.masks.push((*mask, class));
        }
        if classes.len() > MOST_CLASSES {
            let what = format!("more than {MOST_CLASSES} different combinations of contype and conaffinity");
            return Err(TreeError::new(first.place.clone(), TreeProblem::unsupported(what, "use fewer of them")));
        }
        let bits = |&a: &usize| (0..).zip(&classes).filter(|&(_, &b)| rows[a][b]).fold(0, |bits, (b, _)| bits | 1 << b);
        touches.with = classes.iter().map(bits).collect();
        touches.materials =
            materials(&touches.surfaces).map_err(|problem| TreeError::new(first.place.clone(), problem))?;
        Ok(touches)
    }

    /// The groups and the material of a body with these geoms, all of which collide.
    pub fn of<'a>(&self, mut geoms: impl Iterator<Item = &'a Geom>) -> Result<(Groups, MaterialId), TreeError> {
        let Some(first) = geoms.next() else { return Ok((Groups::NONE, MaterialId::new(0))) };
        let (class, place) = (self.class(first), self.place(first));
        for geom in geoms {
            if self.class(geom) != class {
                let what = "contype and conaffinity that differ from those of another geom that moves with this one";
                let cure = "give all geoms of a body that collide the same ones";
                return Err(TreeError::new(geom.place.clone(), TreeProblem::unsupported(what, cure)));
            }
            if self.place(geom) != place {
                let what =
                    "friction, condim or priority that differ from those of another geom that moves with this one";
                let cure = "give all geoms of a body that collide the same ones";
                return Err(TreeError::new(geom.place.clone(), TreeProblem::unsupported(what, cure)));
            }
        }
        let with = self.with.get(class).copied().unwrap_or_default();
        Ok((Groups { member: 1 << class, with }, MaterialId::new(place as u16)))
    }

    fn class(&self, geom: &Geom) -> usize {
        let mask = [geom.touch.kind, geom.touch.with];
        self.masks.iter().find(|(known, _)| *known == mask).map_or(0, |&(_, class)| class)
    }

    /// The place of the geom's material in the table.
    fn place(&self, geom: &Geom) -> usize {
        let surface = surface(&geom.touch);
        self.surfaces.iter().position(|known| *known == surface).unwrap_or(0)
    }
}

/// What of a geom decides about friction.
fn surface(touch: &Touch) -> Touch {
    Touch { kind: 0, with: 0, ..*touch }
}

/// A material for each surface, and what happens between any two.
fn materials(surfaces: &[Touch]) -> Result<MaterialTable, TreeProblem> {
    let mut table = MaterialTable::new();
    let names = (1..=surfaces.len().max(1)).map(|number| format!("surface {number}"));
    let ids = names.map(|name| table.add(name)).collect::<Result<Vec<_>, _>>()?;
    for (i, a) in surfaces.iter().enumerate() {
        for (j, b) in surfaces.iter().enumerate().skip(i) {
            table.set(ids[i], ids[j], Interaction::dry(friction(a, b)))?;
        }
    }
    Ok(table)
}

/// The friction between two surfaces: that of the higher priority, or the larger of each coefficient.
fn friction(a: &Touch, b: &Touch) -> Friction {
    let larger = |k: usize| a.friction[k].max(b.friction[k]);
    let (dimensions, [sliding, drilling]) = match a.priority.cmp(&b.priority) {
        std::cmp::Ordering::Greater => (a.dimensions, [a.friction[0], a.friction[1]]),
        std::cmp::Ordering::Less => (b.dimensions, [b.friction[0], b.friction[1]]),
        std::cmp::Ordering::Equal => (a.dimensions.max(b.dimensions), [larger(0), larger(1)]),
    };
    match dimensions {
        1 => Friction::sliding(0.0),
        2..=3 => Friction::sliding(sliding),
        _ => Friction { s: sliding, t: sliding, torsion: drilling },
    }
}
