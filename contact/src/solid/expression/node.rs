//! The tree of an expression and its values.

use super::number::Number;

/// A node; others are given by their places in the list of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// A number.
    Constant(f64),
    /// x, y or z.
    Coordinate(u8),
    /// The negative of another.
    Negative(u32),
    /// A whole power.
    Power(u32, i32),
    /// A function of one.
    Call(Function, u32),
    /// Something of two.
    Pair(Operation, u32, u32),
}

/// Something of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Sum,
    Difference,
    Product,
    Quotient,
    Least,
    Most,
}

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Sqrt,
    Abs,
    Sin,
    Cos,
    Exp,
    Ln,
}

impl Function {
    pub const ALL: [Self; 6] = [Self::Sqrt, Self::Abs, Self::Sin, Self::Cos, Self::Exp, Self::Ln];

    /// Its name in expressions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqrt => "sqrt",
            Self::Abs => "abs",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Exp => "exp",
            Self::Ln => "ln",
        }
    }

    fn of<T: Number>(self, x: T) -> T {
        match self {
            Self::Sqrt => x.sqrt(),
            Self::Abs => x.abs(),
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Exp => x.exp(),
            Self::Ln => x.ln(),
        }
    }
}

/// The value of a node; by recursion, which the parser bounds.
pub fn value<T: Number>(nodes: &[Node], node: u32, at: &[T; 3]) -> T {
    match nodes[node as usize] {
        Node::Constant(constant) => T::constant(constant),
        Node::Coordinate(axis) => at[axis as usize],
        Node::Negative(a) => -value(nodes, a, at),
        Node::Power(a, 2) => value(nodes, a, at).sqr(),
        Node::Power(a, exponent) => value(nodes, a, at).powi(exponent),
        Node::Call(function, a) => function.of(value(nodes, a, at)),
        Node::Pair(operation, a, b) => {
            let (a, b) = (value(nodes, a, at), value(nodes, b, at));
            match operation {
                Operation::Sum => a + b,
                Operation::Difference => a - b,
                Operation::Product => a * b,
                Operation::Quotient => a / b,
                Operation::Least => a.min(b),
                Operation::Most => a.max(b),
            }
        }
    }
}
