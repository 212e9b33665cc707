//! Why a generator cannot serve a shape.

use std::sync::Arc;

use thiserror::Error;

use crate::shape::ShapeError;

/// Why a generator cannot serve a shape, or gave up.
#[derive(Clone, Debug, Error)]
pub enum GeneratorError {
    /// The generator does not take shapes of this kind.
    #[error("{generator} takes no {kind}: it needs {needs}")]
    Unsupported {
        /// The name of the generator.
        generator: String,
        /// What the shape is.
        kind: String,
        /// What it should be.
        needs: String,
    },
    /// What the generator needs cannot be derived from the shape.
    #[error("{generator} needs {needs}, which this {kind} does not have: {source}")]
    Derived {
        /// The name of the generator.
        generator: String,
        /// What the shape is.
        kind: String,
        /// What was to be derived.
        needs: String,
        /// Why it cannot be.
        source: Box<ShapeError>,
    },
    /// A shape so far away that rounding leaves nothing of its features there.
    #[error(
        "{generator} finds no contacts of a {kind} whose coordinates are up to {distance:e} m: with a thickness of {thickness:e} m they may be up to \
         {limit:e} m; move both bodies towards the origin"
    )]
    TooFar {
        /// The name of the generator.
        generator: String,
        /// What the shape is.
        kind: String,
        /// Its largest coordinate in the world, m.
        distance: f64,
        /// Its thickness, m.
        thickness: f64,
        /// What that coordinate may be, m.
        limit: f64,
    },
    /// Anything else that a generator reports.
    #[error("{generator}: {source}")]
    Failed {
        /// The name of the generator.
        generator: String,
        /// What is wrong.
        source: Arc<dyn std::error::Error + Send + Sync>,
    },
}

/// Errors are the same if they say the same.
impl PartialEq for GeneratorError {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl GeneratorError {
    /// A generator that needs something of a shape which the shape cannot give.
    pub fn needs(generator: &str, kind: &str, needs: &str, source: ShapeError) -> Self {
        let (generator, kind, needs) = (generator.into(), kind.into(), needs.into());
        match source {
            ShapeError::Kind { .. } => Self::Unsupported { generator, kind, needs },
            source => Self::Derived { generator, kind, needs, source: Box::new(source) },
        }
    }
}
