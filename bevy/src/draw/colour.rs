//! Colours as materials, each made once.

use bevy::asset::AssetId;
use bevy::pbr::StandardMaterial;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

/// What a material is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Finish {
    /// The faces of a body: matt, translucent below an alpha of one.
    Matt,
    /// Colours of the vertices as they are, without light.
    Plain,
    /// The same, translucent.
    Translucent,
}

/// Materials by finish and colour, as long as something uses them.
#[derive(Resource, Default)]
pub(super) struct MaterialCache(HashMap<(Finish, [u32; 4]), AssetId<StandardMaterial>>);

impl MaterialCache {
    /// The material of a finish and colour.
    pub fn get(
        &mut self,
        finish: Finish,
        colour: Color,
        materials: &mut Assets<StandardMaterial>,
    ) -> Handle<StandardMaterial> {
        let key = (finish, bits(colour));
        if let Some(handle) = self.0.get(&key).and_then(|&id| materials.get_strong_handle(id)) {
            return handle;
        }
        self.0.retain(|_, id| materials.contains(*id));
        let handle = materials.add(material(finish, colour));
        self.0.insert(key, handle.id());
        handle
    }
}

fn material(finish: Finish, colour: Color) -> StandardMaterial {
    let is_translucent = finish == Finish::Translucent || colour.alpha() < 1.0;
    StandardMaterial {
        base_color: colour,
        unlit: finish != Finish::Matt,
        alpha_mode: if is_translucent { AlphaMode::Blend } else { AlphaMode::Opaque },
        perceptual_roughness: 0.9,
        reflectance: 0.2,
        ..StandardMaterial::default()
    }
}

/// A colour as a key.
pub(super) fn bits(colour: Color) -> [u32; 4] {
    linear(colour).map(f32::to_bits)
}

/// A colour as meshes hold it: linear red, green, blue, and alpha.
pub(super) fn linear(colour: Color) -> [f32; 4] {
    colour.to_linear().to_f32_array()
}
