//! Expressions of x, y and z (m), as scene files hold them.
//!
//! ```text
//! expression = expression ("+" | "-" | "*" | "/") expression
//!            | "-" expression
//!            | expression "^" ["-"] whole number up to 64
//!            | "(" expression ")"
//!            | number | "pi" | "x" | "y" | "z"
//!            | ("sqrt" | "abs" | "sin" | "cos" | "exp" | "ln") "(" expression ")"
//!            | ("min" | "max") "(" expression "," expression {"," expression} ")"
//! ```
//!
//! Powers bind more strongly than the minus in front, which binds more strongly than products, which bind more strongly
//! than sums; what binds equally is taken from left to right. A power of a power needs parentheses. Constants are the
//! numbers of double precision that are nearest to what is written. Angles are in radians.
//!
//! An expression is computed in numbers, in intervals, and with derivatives of either; without allocation.
//!
//! ```
//! use drystone_contact::solid::Expression;
//! use glam::DVec3;
//!
//! let ball = Expression::new("sqrt(x^2 + y^2 + z^2) - 1.5")?;
//! assert_eq!(ball.value(DVec3::new(3.0, 0.0, 4.0)), 3.5);
//! assert!(ball.gradient(DVec3::new(3.0, 0.0, 4.0)).distance(DVec3::new(0.6, 0.0, 0.8)) < 1e-15);
//! assert!(Expression::new("2 x").unwrap_err().to_string().starts_with("column 3"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dual;
mod error;
mod lexer;
mod node;
mod number;
mod parser;

pub use error::ExpressionError;

use glam::DVec3;

use super::Interval;
use dual::Dual;
use node::{Node, value};

/// An expression of x, y and z.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    nodes: Vec<Node>,
}

impl Expression {
    /// Reads a text; the module says what it may hold.
    ///
    /// # Errors
    /// [`ExpressionError`], with the column.
    pub fn new(text: &str) -> Result<Self, ExpressionError> {
        Ok(Self { text: text.into(), nodes: parser::parse(text)?.nodes })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value at a point (m); not finite where it is not defined.
    pub fn value(&self, at: DVec3) -> f64 {
        value(&self.nodes, self.root(), &at.to_array())
    }

    /// The derivatives at a point (m) along x, y and z, per m; not finite where there are none, except that at a kink those
    /// of one side are taken.
    pub fn gradient(&self, at: DVec3) -> DVec3 {
        let at = at.to_array();
        let dual = value(&self.nodes, self.root(), &std::array::from_fn(|k| Dual::coordinate(at[k], k)));
        DVec3::from_array(dual.gradient)
    }

    /// Bounds of the value on a box with sides along the axes, `cell[k]` along axis k (m).
    pub fn bound(&self, cell: &[Interval; 3]) -> Interval {
        value(&self.nodes, self.root(), cell)
    }

    /// Bounds of the value and of the derivatives on a box with sides along the axes.
    pub fn bound_with_gradient(&self, cell: &[Interval; 3]) -> (Interval, [Interval; 3]) {
        let dual = value(&self.nodes, self.root(), &std::array::from_fn(|k| Dual::coordinate(cell[k], k)));
        (dual.value, dual.gradient)
    }

    fn root(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests;
