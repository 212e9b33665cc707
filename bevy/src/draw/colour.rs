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
    /// The same, in front of everything that is not so near that it hides the view.
    InFront,
    /// The same, translucent.
    Translucent,
}

/// How much closer to the camera [`Finish::InFront`] is: units of the last place of a depth in single precision. As depths
/// are proportional to one over the distance, this divides distances by 5 to 9 and keeps their order.
const IN_FRONT: f32 = 67_108_864.0;

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
        depth_bias: if finish == Finish::InFront { IN_FRONT } else { 0.0 },
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
