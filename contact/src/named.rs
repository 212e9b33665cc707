//! Enums whose variants have names on the command line and in files.

use crate::generator::UnknownName;

/// The value of a list that has this name.
///
/// # Errors
/// [`UnknownName`] with what sort of thing it is and the names there are.
pub fn by_name<T: Clone>(
    kind: &'static str,
    name: &str,
    all: &[T],
    name_of: impl Fn(&T) -> &'static str,
) -> Result<T, UnknownName> {
    let known = || all.iter().map(&name_of).collect::<Vec<_>>().join(", ");
    let found = all.iter().find(|&value| name_of(value) == name).cloned();
    found.ok_or_else(|| UnknownName { kind, name: name.into(), known: known() })
}

/// Gives an enum of plain variants `ALL`, `name`, `Display` and `FromStr`, from what it is (for errors) and one list:
/// `named!(Colour, "colour": Red = "red", DarkBlue = "dark-blue");`
#[macro_export]
macro_rules! named {
    ($Type:ident, $kind:literal: $($Variant:ident = $name:literal),+ $(,)?) => {
        impl $Type {
            /// All of them, in their order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            /// The name on the command line and in files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name),+
                }
            }
        }

        impl ::std::fmt::Display for $Type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $Type {
            type Err = $crate::generator::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::named::by_name($kind, name, &Self::ALL, |value| value.name())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Colour {
        Red,
        DarkBlue,
    }

    named!(Colour, "colour": Red = "red", DarkBlue = "dark-blue");

    #[test]
    fn names_are_read_back_and_others_refused_with_those_there_are() {
        for colour in Colour::ALL {
            assert_eq!(colour.to_string().parse(), Ok(colour));
        }
        assert_eq!(format!("{:>5}", Colour::Red), "  red");
        let unknown = "blue".parse::<Colour>().unwrap_err();
        assert_eq!((unknown.kind, unknown.known.as_str()), ("colour", "red, dark-blue"));
    }
}
