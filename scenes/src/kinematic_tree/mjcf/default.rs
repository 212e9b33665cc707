//! Default classes: attributes of elements that do not state them themselves.

use super::super::element::{Element, quoted};
use super::super::error::{TreeError, TreeProblem};

/// The class of all elements without one.
const MAIN: &str = "main";

/// A class with what it inherits: attributes by the names of elements.
#[derive(Clone, Debug)]
struct Class {
    name: String,
    elements: Vec<(String, Vec<(String, String)>)>,
}

/// The default classes of a model.
#[derive(Clone, Debug)]
pub struct Defaults(Vec<Class>);

impl Defaults {
    /// Of the sections `default` of a model.
    pub fn new(root: &Element) -> Result<Self, TreeError> {
        let mut defaults = Self(vec![Class { name: MAIN.into(), elements: Vec::new() }]);
        for section in root.all("default") {
            defaults.add(section, None)?;
        }
        Ok(defaults)
    }

    fn add(&mut self, section: &Element, parent: Option<usize>) -> Result<(), TreeError> {
        section.only(&[&["class"]])?;
        let own = match parent {
            None => {
                // The outermost class may have another name, by which it is known as well.
                if let Some(name) = section.text("class") {
                    self.0[0].name = name.to_owned();
                }
                0
            }
            Some(parent) => {
                let name = section.required("class")?.to_owned();
                if self.0.iter().any(|class| class.name == name) {
                    return Err(section.error("", TreeProblem::Repeated { what: "class", name: quoted(&name) }));
                }
                let inherited = self.0[parent].elements.clone();
                self.0.push(Class { name, elements: inherited });
                self.0.len() - 1
            }
        };
        for element in section.children.iter().filter(|element| element.name != "default") {
            self.0[own].set(element);
        }
        section.all("default").try_for_each(|section| self.add(section, Some(own)))
    }

    /// The element with the attributes that it has by its class, or else by that of its surroundings. `kind` is what classes call it.
    pub fn applied(&self, element: &Element, kind: &str, surrounding: Option<&str>) -> Result<Element, TreeError> {
        let name = element.text("class").or(surrounding);
        let class = match name {
            None => self.0.first(),
            Some(name) => Some(self.class(name).ok_or_else(|| {
                let known = self.0.iter().map(|class| quoted(&class.name)).collect::<Vec<_>>().join(", ");
                let known = format!("the classes are: {known}");
                element.error("class", TreeProblem::Unknown { what: "class", name: quoted(name), known })
            })?),
        };
        let mut whole = element.clone();
        let inherited = class.and_then(|class| class.elements.iter().find(|(known, _)| known == kind));
        for (key, value) in inherited.iter().flat_map(|(_, attributes)| attributes) {
            if element.text(key).is_none() {
                whole.attributes.push((key.clone(), value.clone()));
            }
        }
        Ok(whole)
    }

    fn class(&self, name: &str) -> Option<&Class> {
        self.0.iter().find(|class| class.name == name).or(self.0.first().filter(|_| name == MAIN))
    }
}

impl Class {
    fn set(&mut self, element: &Element) {
        let place = match self.elements.iter().position(|(known, _)| *known == element.name) {
            Some(place) => place,
            None => {
                self.elements.push((element.name.clone(), Vec::new()));
                self.elements.len() - 1
            }
        };
        let own = &mut self.elements[place].1;
        for (key, value) in &element.attributes {
            own.retain(|(known, _)| known != key);
            own.push((key.clone(), value.clone()));
        }
    }
}
