//! The program `drystone` with a contact method of its own: of the contacts of each pair the deepest ones.
//!
//! ```text
//! cargo run --release --example own_method -- assess --scene cliff-edges --method deepest --method semi-local
//! ```

use std::process::ExitCode;

use drystone::contact::Contact;
use drystone::contact::generator::semi_local::SemiLocal;
use drystone::contact::generator::{Generator, GeneratorError, Method, Placed, Registry};
use drystone::contact::shape::Shape;
use serde::{Deserialize, Serialize};

/// The contacts of the semi-local generator that are little less deep than the deepest of their pair.
#[derive(Serialize, Deserialize)]
struct Deepest {
    /// How much larger the gap may be than that of the deepest, m.
    above: f64,
    semi_local: SemiLocal,
}

impl Generator for Deepest {
    fn name(&self) -> &str {
        "deepest"
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        self.semi_local.prepare(shape)
    }

    fn margin(&self, shape: &Shape) -> f64 {
        self.semi_local.margin(shape)
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        let mut contacts = self.semi_local.contacts(a, b)?;
        let deepest = contacts.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        contacts.retain(|contact| contact.gap <= deepest + self.above);
        Ok(contacts)
    }
}

/// All methods of the project and our own.
pub fn registry() -> Result<Registry, Box<dyn std::error::Error>> {
    let mut registry = drystone::replica::readings::registry();
    let deepest = Deepest { above: 1e-4, semi_local: SemiLocal::default() };
    registry.add(Method::new("deepest", "semi-local, the deepest contacts of each pair", deepest))?;
    Ok(registry)
}

/// The whole program, with `deepest` as one of its methods.
pub fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    Ok(drystone::program::run(registry()?))
}
