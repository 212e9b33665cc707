//! The words of an expression.

use super::error::ExpressionError;

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A number.
    Number(f64),
    /// A name.
    Name(String),
    /// One of + - * / ^ ( ) and the comma.
    Sign(char),
    /// Nothing follows.
    End,
}

impl Token {
    /// As it is called in messages.
    pub fn described(&self) -> String {
        match self {
            Self::Number(value) => format!("the number {value}"),
            Self::Name(name) => format!("\"{name}\""),
            Self::Sign(sign) => format!("'{sign}'"),
            Self::End => "the end".into(),
        }
    }
}

/// The words of a text with their columns, counted from 1; the last is [`Token::End`].
pub fn tokens(text: &str) -> Result<Vec<(Token, usize)>, ExpressionError> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let (start, character) = (at, characters[at]);
        let run = |from: usize, belongs: fn(&char) -> bool| {
            from + characters[from..].iter().take_while(|character| belongs(character)).count()
        };
        if character.is_whitespace() {
            at += 1;
            continue;
        } else if character.is_ascii_digit() || character == '.' {
            at = run(at, |c| c.is_ascii_digit() || *c == '.');
            // An exponent, if digits follow.
            if matches!(characters.get(at), Some('e' | 'E')) {
                let signed = matches!(characters.get(at + 1), Some('+' | '-'));
                let end = run((at + 1 + usize::from(signed)).min(characters.len()), char::is_ascii_digit);
                if characters[end - 1].is_ascii_digit() {
                    at = end;
                }
            }
            let word: String = characters[start..at].iter().collect();
            match word.parse::<f64>() {
                Ok(value) if value.is_finite() => found.push((Token::Number(value), start + 1)),
                _ => return Err(ExpressionError::Number { column: start + 1, text: word }),
            }
        } else if character.is_ascii_alphabetic() {
            at = run(at, |c| c.is_ascii_alphanumeric() || *c == '_');
            found.push((Token::Name(characters[start..at].iter().collect()), start + 1));
        } else if "+-*/^(),".contains(character) {
            at += 1;
            found.push((Token::Sign(character), start + 1));
        } else {
            return Err(ExpressionError::Character { column: start + 1, character });
        }
    }
    found.push((Token::End, characters.len() + 1));
    Ok(found)
}
