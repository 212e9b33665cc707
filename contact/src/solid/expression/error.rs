//! What is wrong with the text of an expression.

use thiserror::Error;

/// What is wrong with the text of an expression, and where. Columns count characters from 1.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ExpressionError {
    /// Something else should stand there.
    #[error("column {column}: expected {expected}, found {found}")]
    Unexpected {
        /// Where.
        column: usize,
        /// What may stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A character that no expression has.
    #[error(
        "column {column}: '{character}' has no meaning here; known are numbers, names, + - * / ^, commas and parentheses"
    )]
    Character {
        /// Where.
        column: usize,
        /// The character.
        character: char,
    },
    /// A number that cannot be read, or is not finite.
    #[error("column {column}: \"{text}\" is no finite number; write it like 12, 0.5 or 3e-4")]
    Number {
        /// Where.
        column: usize,
        /// As it is written.
        text: String,
    },
    /// An unknown name.
    #[error("column {column}: \"{name}\" is unknown; known are x, y, z, pi, and the functions {functions}")]
    Name {
        /// Where.
        column: usize,
        /// The name.
        name: String,
        /// The functions that there are.
        functions: String,
    },
    /// A function with too many or too few arguments.
    #[error("column {column}: {function} takes {expected}, not {found}")]
    Arguments {
        /// Where the function stands.
        column: usize,
        /// Its name.
        function: &'static str,
        /// How many it takes, in words.
        expected: &'static str,
        /// How many there are.
        found: usize,
    },
    /// The expression is too large.
    #[error("column {column}: the expression has more than {limit} {what}; write it in a shorter way")]
    TooLarge {
        /// Where the limit is passed.
        column: usize,
        /// The limit.
        limit: usize,
        /// What is counted.
        what: &'static str,
    },
}
