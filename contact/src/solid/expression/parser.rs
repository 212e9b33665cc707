//! From the words of an expression to its tree, by precedence climbing.
//!
//! Source: Pratt, Top down operator precedence, POPL 1973.

use super::error::ExpressionError;
use super::lexer::{Token, tokens};
use super::node::{Function, Node, Operation};

/// More nodes than this are refused.
pub const LARGEST: usize = 2000;

/// A tree of more levels than this is refused, so that it can be walked by recursion.
pub const DEEPEST: usize = 200;

/// Powers beyond this are refused.
const LARGEST_EXPONENT: f64 = 64.0;

/// How strongly signs bind: sums, products, the minus in front, powers.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const MINUS: u8 = 3;
const POWER: u8 = 4;

/// A tree: nodes refer to nodes before them, the last is the root.
pub struct Tree {
    pub nodes: Vec<Node>,
}

/// The tree of a text.
pub fn parse(text: &str) -> Result<Tree, ExpressionError> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, nodes: Vec::new(), depths: Vec::new(), nesting: 0 };
    parser.expression(0)?;
    match parser.peek() {
        (Token::End, _) => Ok(Tree { nodes: parser.nodes }),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
    nodes: Vec<Node>,
    /// Levels of the tree below each node.
    depths: Vec<usize>,
    /// Calls of [`Parser::expression`] that are open.
    nesting: usize,
}

impl Parser {
    fn peek(&self) -> (&Token, usize) {
        let (token, column) = &self.tokens[self.at];
        (token, *column)
    }

    fn next(&mut self) -> (Token, usize) {
        let next = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        next
    }

    fn unexpected(&self, expected: &'static str) -> ExpressionError {
        let (token, column) = self.peek();
        ExpressionError::Unexpected { column, expected, found: token.described() }
    }

    fn expect(&mut self, sign: char, expected: &'static str) -> Result<(), ExpressionError> {
        if *self.peek().0 != Token::Sign(sign) {
            return Err(self.unexpected(expected));
        }
        self.next();
        Ok(())
    }

    fn push(&mut self, node: Node, column: usize) -> Result<u32, ExpressionError> {
        let below = match node {
            Node::Constant(_) | Node::Coordinate(_) => 0,
            Node::Negative(a) | Node::Power(a, _) | Node::Call(_, a) => self.depths[a as usize],
            Node::Pair(_, a, b) => self.depths[a as usize].max(self.depths[b as usize]),
        };
        if self.nodes.len() >= LARGEST {
            return Err(ExpressionError::TooLarge { column, limit: LARGEST, what: "numbers, names and operators" });
        }
        if below + 1 > DEEPEST {
            return Err(ExpressionError::TooLarge { column, limit: DEEPEST, what: "levels" });
        }
        self.nodes.push(node);
        self.depths.push(below + 1);
        Ok(self.nodes.len() as u32 - 1)
    }

    /// An expression of signs that bind more strongly than `least`.
    fn expression(&mut self, least: u8) -> Result<u32, ExpressionError> {
        self.nesting += 1;
        if self.nesting > DEEPEST {
            return Err(ExpressionError::TooLarge { column: self.peek().1, limit: DEEPEST, what: "levels" });
        }
        let mut left = self.operand()?;
        while let (&Token::Sign(sign), column) = self.peek() {
            let (operation, binding) = match sign {
                '+' => (Operation::Sum, SUM),
                '-' => (Operation::Difference, SUM),
                '*' => (Operation::Product, PRODUCT),
                '/' => (Operation::Quotient, PRODUCT),
                '^' if least < POWER => {
                    self.next();
                    let exponent = self.exponent()?;
                    left = self.push(Node::Power(left, exponent), column)?;
                    if *self.peek().0 == Token::Sign('^') {
                        return Err(self.unexpected("parentheses around a power that is raised to a power"));
                    }
                    continue;
                }
                _ => break,
            };
            if binding <= least {
                break;
            }
            self.next();
            let right = self.expression(binding)?;
            // The square of anything is not below zero, which intervals do not see in a product.
            let node = match operation {
                Operation::Product if self.same(left, right) => Node::Power(left, 2),
                _ => Node::Pair(operation, left, right),
            };
            left = self.push(node, column)?;
        }
        self.nesting -= 1;
        Ok(left)
    }

    /// A number, a name, a call, something in parentheses, or one of these with a minus in front.
    fn operand(&mut self) -> Result<u32, ExpressionError> {
        const EXPECTED: &str = "a number, x, y, z, pi, a function, a minus or an opening parenthesis";
        let (token, column) = self.peek();
        match token.clone() {
            Token::Number(value) => {
                self.next();
                self.push(Node::Constant(value), column)
            }
            Token::Sign('-') => {
                self.next();
                let operand = self.expression(MINUS)?;
                self.push(Node::Negative(operand), column)
            }
            Token::Sign('(') => {
                self.next();
                let inner = self.expression(0)?;
                self.expect(')', "an operator or a closing parenthesis")?;
                Ok(inner)
            }
            Token::Name(name) => {
                self.next();
                match name.as_str() {
                    "x" => self.push(Node::Coordinate(0), column),
                    "y" => self.push(Node::Coordinate(1), column),
                    "z" => self.push(Node::Coordinate(2), column),
                    "pi" => self.push(Node::Constant(std::f64::consts::PI), column),
                    _ => self.call(&name, column),
                }
            }
            _ => Err(self.unexpected(EXPECTED)),
        }
    }

    /// The arguments of a function, from the opening parenthesis on.
    fn call(&mut self, name: &str, column: usize) -> Result<u32, ExpressionError> {
        let pair = [("min", Operation::Least), ("max", Operation::Most)].into_iter().find(|pair| pair.0 == name);
        let single = Function::ALL.into_iter().find(|function| function.name() == name);
        if pair.is_none() && single.is_none() {
            let functions = Function::ALL.map(Function::name).join(", ") + ", min, max";
            return Err(ExpressionError::Name { column, name: name.into(), functions });
        }
        self.expect('(', "an opening parenthesis after the name of a function")?;
        let mut value = self.expression(0)?;
        let mut count = 1;
        while *self.peek().0 == Token::Sign(',') {
            self.next();
            let other = self.expression(0)?;
            count += 1;
            if let Some((_, operation)) = pair {
                value = self.push(Node::Pair(operation, value, other), column)?;
            }
        }
        self.expect(')', "an operator, a comma or a closing parenthesis")?;
        match (pair, single) {
            (Some((function, _)), _) if count < 2 => {
                Err(ExpressionError::Arguments { column, function, expected: "two arguments or more", found: count })
            }
            (None, Some(function)) if count > 1 => {
                let (function, expected) = (function.name(), "one argument");
                Err(ExpressionError::Arguments { column, function, expected, found: count })
            }
            (None, Some(function)) => self.push(Node::Call(function, value), column),
            _ => Ok(value),
        }
    }

    /// A whole number after ^.
    fn exponent(&mut self) -> Result<i32, ExpressionError> {
        let negative = *self.peek().0 == Token::Sign('-');
        if negative {
            self.next();
        }
        match self.peek().0 {
            &Token::Number(value) if value.fract() == 0.0 && value <= LARGEST_EXPONENT => {
                self.next();
                Ok(if negative { -(value as i32) } else { value as i32 })
            }
            _ => Err(self.unexpected("a whole number up to 64 as exponent")),
        }
    }

    /// Whether two nodes stand for the same expression.
    fn same(&self, a: u32, b: u32) -> bool {
        match (&self.nodes[a as usize], &self.nodes[b as usize]) {
            (Node::Negative(a), Node::Negative(b)) => self.same(*a, *b),
            (Node::Power(a, m), Node::Power(b, n)) => m == n && self.same(*a, *b),
            (Node::Call(f, a), Node::Call(g, b)) => f == g && self.same(*a, *b),
            (Node::Pair(f, a, c), Node::Pair(g, b, d)) => f == g && self.same(*a, *b) && self.same(*c, *d),
            (one, other) => one == other,
        }
    }
}
