//! A method in another variant than the one it is in.

use drystone::contact::generator::{Method, Registry};
use drystone::replica::Variant;

/// A method read in a variant, whichever it is read in now. Settings stay unless the variant has its own.
pub fn read_in(method: &Method, variant: Variant) -> Method {
    match Variant::read(method) {
        Ok(now) if now == variant => method.clone(),
        Ok(Variant::Corrected) => variant.of(method),
        _ => variant.of(Registry::default().find(method.name()).unwrap_or(method)),
    }
}

/// A method read as another one is, so that two that are compared are in the same variant.
pub fn read_as(method: &Method, other: &Method) -> Method {
    Variant::read(other).map_or_else(|_| method.clone(), |variant| read_in(method, variant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone::contact::generator::methods;

    #[test]
    fn every_variant_leads_to_every_other() {
        for method in methods::all() {
            for from in Variant::ALL.map(|variant| variant.of(&method)) {
                for to in Variant::ALL {
                    assert_eq!(read_in(&from, to), to.of(&method), "{from:?}");
                    assert_eq!(read_as(&from, &to.of(&methods::vclip())), to.of(&method), "{from:?}");
                }
            }
        }
    }

    #[test]
    fn settings_stay_where_the_variant_has_none_of_its_own() {
        let wide = Registry::default().read("semi-local{\"envelope\":0.04}").unwrap();
        assert_eq!(read_in(&wide, Variant::Corrected), wide);
        assert_eq!(read_in(&wide, Variant::Published).settings(), wide.settings());
    }
}
