//! Materials and what happens between two of them: friction and bounce.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A material by its index in a [`MaterialTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MaterialId(u16);

impl MaterialId {
    /// The material at `index` of the table.
    pub const fn new(index: u16) -> Self {
        Self(index)
    }

    /// The index in the table, from zero.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Coefficients of Coulomb friction, each a bound on an impulse as a multiple of the normal impulse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Friction {
    /// Sliding along the tangent s of the contact basis, dimensionless.
    pub s: f64,
    /// Sliding along the tangent t of the contact basis, dimensionless.
    pub t: f64,
    /// Drilling about the normal, m: it bounds a moment by a force. The ball model does not use it.
    pub torsion: f64,
}

impl Friction {
    /// The same coefficient for both tangents and, as a number, for drilling: what the assessment suite uses.
    pub const fn isotropic(coefficient: f64) -> Self {
        Self { s: coefficient, t: coefficient, torsion: coefficient }
    }

    /// The same coefficient for both tangents and none for drilling: Coulomb's law at a point.
    pub const fn sliding(coefficient: f64) -> Self {
        Self { s: coefficient, t: coefficient, torsion: 0.0 }
    }

    /// The coefficients in the order s, t, torsion.
    pub const fn to_array(self) -> [f64; 3] {
        [self.s, self.t, self.torsion]
    }
}

/// What happens between two materials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interaction {
    /// Friction.
    pub friction: Friction,
    /// The share of the normal approach velocity that comes back, 0…1.
    pub restitution: f64,
}

impl Interaction {
    /// Friction without bounce.
    pub const fn dry(friction: Friction) -> Self {
        Self { friction, restitution: 0.0 }
    }
}

/// What a material says of itself. What happens between two materials follows from both by the rules of the table, unless
/// the pair is set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Friction.
    pub friction: Friction,
    /// The share of the normal approach velocity that comes back, 0…1.
    pub restitution: f64,
}

impl Default for Material {
    /// Sliding friction of 0.5 without drilling, no bounce.
    fn default() -> Self {
        Self { friction: Friction::sliding(0.5), restitution: 0.0 }
    }
}

/// How a coefficient of two materials follows from those of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Combine {
    /// (a + b)/2.
    Average,
    /// √(a b): of two equal ones that one, and none where one is none.
    GeometricMean,
    /// The smaller one.
    Minimum,
    /// The larger one.
    Maximum,
    /// a b.
    Product,
}

impl Combine {
    /// The coefficient of both.
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Average => 0.5 * (a + b),
            Self::GeometricMean if a == b => a,
            Self::GeometricMean => a.sqrt() * b.sqrt(),
            Self::Minimum => a.min(b),
            Self::Maximum => a.max(b),
            Self::Product => a * b,
        }
    }
}

/// The rules by which materials are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombineRules {
    /// Of each coefficient of friction.
    pub friction: Combine,
    /// Of restitution.
    pub restitution: Combine,
}

impl Default for CombineRules {
    /// Friction by the geometric mean, restitution by the larger one.
    fn default() -> Self {
        Self { friction: Combine::GeometricMean, restitution: Combine::Maximum }
    }
}

/// What is wrong with a material or a table of materials.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// The name is taken.
    #[error("there is already a material named \"{0}\"")]
    Duplicate(String),
    /// More materials than ids.
    #[error("a table holds at most {} materials", u16::MAX)]
    TooMany,
    /// No material has this name.
    #[error("no material is named \"{name}\"; the table has: {known}")]
    UnknownName {
        /// The name that was asked for.
        name: String,
        /// The names in the table.
        known: String,
    },
    /// An id of another table.
    #[error("material {index} does not exist; the table holds {count}")]
    UnknownId {
        /// The index that was asked for.
        index: usize,
        /// How many materials the table holds.
        count: usize,
    },
    /// A coefficient out of range.
    #[error("{quantity} is {value}; {allowed}")]
    Coefficient {
        /// Which coefficient.
        quantity: &'static str,
        /// The value that was given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
}

/// Materials by name, and the interaction of each pair: that which was set for it, else what the materials say of themselves, combined
/// by the rules.
///
/// ```
/// use drystone_engine::material::{Combine, Material};
/// use drystone_engine::{Friction, MaterialTable};
///
/// let mut table = MaterialTable::new();
/// let steel = table.add_with("steel", Material { friction: Friction::sliding(0.25), restitution: 0.6 })?;
/// let rubber = table.add_with("rubber", Material { friction: Friction::sliding(1.0), restitution: 0.8 })?;
/// let between = table.between(steel, rubber)?;
/// assert_eq!((between.friction.s, between.restitution), (0.5, 0.8));
/// # Ok::<(), drystone_engine::MaterialError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialTable {
    names: Vec<String>,
    materials: Vec<Material>,
    rules: CombineRules,
    pairs: BTreeMap<(MaterialId, MaterialId), Interaction>,
}

impl MaterialTable {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a material with [the default coefficients](Material::default).
    ///
    /// # Errors
    /// [`MaterialError::Duplicate`], [`MaterialError::TooMany`].
    pub fn add(&mut self, name: impl Into<String>) -> Result<MaterialId, MaterialError> {
        self.add_with(name, Material::default())
    }

    /// Adds a material with coefficients of its own.
    ///
    /// # Errors
    /// [`MaterialError::Duplicate`], [`MaterialError::TooMany`], [`MaterialError::Coefficient`].
    pub fn add_with(&mut self, name: impl Into<String>, material: Material) -> Result<MaterialId, MaterialError> {
        check(material.friction, material.restitution)?;
        let name = name.into();
        if self.names.contains(&name) {
            return Err(MaterialError::Duplicate(name));
        }
        let id = u16::try_from(self.names.len()).ok().filter(|&i| i < u16::MAX).ok_or(MaterialError::TooMany)?;
        self.names.push(name);
        self.materials.push(material);
        Ok(MaterialId(id))
    }

    /// What a material says of itself.
    ///
    /// # Errors
    /// [`MaterialError::UnknownId`].
    pub fn material(&self, id: MaterialId) -> Result<Material, MaterialError> {
        self.name(id)?;
        Ok(self.materials[id.index()])
    }

    /// Sets what a material says of itself.
    ///
    /// # Errors
    /// [`MaterialError::UnknownId`], [`MaterialError::Coefficient`].
    pub fn set_material(&mut self, id: MaterialId, material: Material) -> Result<(), MaterialError> {
        self.name(id)?;
        check(material.friction, material.restitution)?;
        self.materials[id.index()] = material;
        Ok(())
    }

    /// The rules by which materials are combined where their pair is not set.
    pub fn rules(&self) -> CombineRules {
        self.rules
    }

    /// Sets these rules.
    pub fn set_rules(&mut self, rules: CombineRules) {
        self.rules = rules;
    }

    /// The material of a name.
    ///
    /// # Errors
    /// [`MaterialError::UnknownName`], with the names there are.
    pub fn id(&self, name: &str) -> Result<MaterialId, MaterialError> {
        (0u16..)
            .zip(&self.names)
            .find(|(_, known)| *known == name)
            .map(|(i, _)| MaterialId(i))
            .ok_or_else(|| MaterialError::UnknownName { name: name.to_owned(), known: self.names.join(", ") })
    }

    /// The name of a material.
    ///
    /// # Errors
    /// [`MaterialError::UnknownId`].
    pub fn name(&self, id: MaterialId) -> Result<&str, MaterialError> {
        self.names
            .get(id.index())
            .map(String::as_str)
            .ok_or(MaterialError::UnknownId { index: id.index(), count: self.names.len() })
    }

    /// Sets what happens between `a` and `b`, in either order.
    ///
    /// # Errors
    /// [`MaterialError::UnknownId`]; [`MaterialError::Coefficient`] unless the friction coefficients are finite and
    /// not negative and the restitution lies in 0…1.
    pub fn set(&mut self, a: MaterialId, b: MaterialId, interaction: Interaction) -> Result<(), MaterialError> {
        self.name(a)?;
        self.name(b)?;
        check(interaction.friction, interaction.restitution)?;
        self.pairs.insert(ordered(a, b), interaction);
        Ok(())
    }

    /// The names, in the order of their ids.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The interactions that were set, in ascending order of their pairs (lower id first).
    pub fn interactions(&self) -> impl Iterator<Item = (MaterialId, MaterialId, Interaction)> + '_ {
        self.pairs.iter().map(|(&(a, b), &interaction)| (a, b, interaction))
    }

    /// What was set for `a` and `b`, in either order.
    pub fn pair(&self, a: MaterialId, b: MaterialId) -> Option<Interaction> {
        self.pairs.get(&ordered(a, b)).copied()
    }

    /// What happens between `a` and `b`, in either order.
    ///
    /// # Errors
    /// [`MaterialError::UnknownId`].
    pub fn between(&self, a: MaterialId, b: MaterialId) -> Result<Interaction, MaterialError> {
        if let Some(interaction) = self.pair(a, b) {
            return Ok(interaction);
        }
        let (own, other) = (self.material(a)?, self.material(b)?);
        let friction = |pick: fn(&Friction) -> f64| self.rules.friction.of(pick(&own.friction), pick(&other.friction));
        Ok(Interaction {
            friction: Friction { s: friction(|f| f.s), t: friction(|f| f.t), torsion: friction(|f| f.torsion) },
            restitution: self.rules.restitution.of(own.restitution, other.restitution),
        })
    }
}

/// # Errors
/// [`MaterialError::Coefficient`].
pub(crate) fn check(friction: Friction, restitution: f64) -> Result<(), MaterialError> {
    let quantities = ["sliding friction along s", "sliding friction along t", "torsional friction"];
    for (quantity, value) in quantities.into_iter().zip(friction.to_array()) {
        if !(value.is_finite() && value >= 0.0) {
            let allowed = "friction must be finite and not negative";
            return Err(MaterialError::Coefficient { quantity, value, allowed });
        }
    }
    if !(0.0..=1.0).contains(&restitution) {
        let allowed = "restitution must lie between 0 and 1";
        return Err(MaterialError::Coefficient { quantity: "restitution", value: restitution, allowed });
    }
    Ok(())
}

fn ordered(a: MaterialId, b: MaterialId) -> (MaterialId, MaterialId) {
    if a <= b { (a, b) } else { (b, a) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stone_and_ground() {
        let mut table = MaterialTable::new();
        let stone = table.add("Stone").unwrap();
        let ground = table.add("Ground").unwrap();
        table.set(stone, stone, Interaction::dry(Friction::isotropic(0.65))).unwrap();
        table.set(ground, stone, Interaction::dry(Friction::isotropic(0.75))).unwrap();
        assert_eq!(table.between(stone, stone).unwrap().friction.s, 0.65);
        assert_eq!(table.between(stone, ground), table.between(ground, stone));
        assert_eq!(table.between(stone, ground).unwrap().friction.to_array(), [0.75; 3]);
        assert_eq!(table.id("Ground"), Ok(ground));
        assert_eq!(table.name(stone), Ok("Stone"));
        assert_eq!(table.pair(ground, ground), None);
        assert_eq!(table.between(ground, ground).unwrap(), Interaction::dry(Friction::sliding(0.5)), "the default");
    }

    #[test]
    fn pairs_that_are_not_set_follow_from_the_materials() {
        let mut table = MaterialTable::new();
        let of = |s: f64, t: f64, restitution: f64| Material { friction: Friction { s, t, torsion: 0.0 }, restitution };
        let a = table.add_with("a", of(0.25, 0.0, 0.1)).unwrap();
        let b = table.add_with("b", of(1.0, 0.7, 0.3)).unwrap();
        let expected = [
            (Combine::GeometricMean, [0.5, 0.0]),
            (Combine::Average, [0.625, 0.35]),
            (Combine::Minimum, [0.25, 0.0]),
            (Combine::Maximum, [1.0, 0.7]),
            (Combine::Product, [0.25, 0.0]),
        ];
        for (friction, [s, t]) in expected {
            table.set_rules(CombineRules { friction, restitution: Combine::Maximum });
            let found = table.between(b, a).unwrap();
            assert_eq!((found.friction.s, found.friction.t, found.restitution), (s, t, 0.3), "{friction:?}");
        }
        table.set_material(a, of(0.1, 0.1, 0.9)).unwrap();
        assert_eq!((table.material(a).unwrap().restitution, table.between(a, b).unwrap().restitution), (0.9, 0.9));
        assert!(table.add_with("c", of(-1.0, 0.0, 0.0)).is_err() && table.set_material(a, of(0.0, 0.0, 2.0)).is_err());
        assert!(matches!(table.between(a, MaterialId::new(9)), Err(MaterialError::UnknownId { index: 9, .. })));
    }

    #[test]
    fn bad_input_is_refused() {
        let mut table = MaterialTable::new();
        let ice = table.add("ice").unwrap();
        assert_eq!(table.add("ice"), Err(MaterialError::Duplicate("ice".into())));
        assert!(matches!(table.id("steam"), Err(MaterialError::UnknownName { .. })));
        assert!(matches!(table.name(MaterialId::new(7)), Err(MaterialError::UnknownId { index: 7, count: 1 })));
        for mu in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(table.set(ice, ice, Interaction::dry(Friction::isotropic(mu))).is_err());
        }
        for restitution in [-0.1, 1.1, f64::NAN] {
            let bouncy = Interaction { friction: Friction::isotropic(0.0), restitution };
            assert!(matches!(table.set(ice, ice, bouncy), Err(MaterialError::Coefficient { .. })));
        }
    }
}
