//! The contacts of the last step as marks.

use super::contacts::Contacts;
use crate::draw::{ContactMark, ContactMarks, Layers};
use bevy::prelude::*;

/// The entity whose [`ContactMarks`] are the contacts of the last step, in the colour [`Layers::mark_colour`]; there is one
/// if the plugin draws. An id counts the contacts through all pairs of [`Contacts`].
#[derive(Component, Clone, Copy, Debug, Default)]
#[require(ContactMarks)]
pub struct PhysicsMarks;

/// Fills the marks when contacts or colours have changed.
pub(super) fn fill(
    contacts: Res<Contacts>,
    layers: Res<Layers>,
    mut owners: Query<&mut ContactMarks, With<PhysicsMarks>>,
) {
    if !(contacts.is_changed() || layers.is_changed()) {
        return;
    }
    let single = |v: glam::DVec3| Vec3::new(v.x as f32, v.y as f32, v.z as f32);
    let all = contacts.pairs.iter().flat_map(|pair| &pair.contacts);
    let marks = (0..).zip(all).map(|(id, contact)| ContactMark {
        position: single(contact.position),
        normal: single(contact.normal),
        colour: layers.mark_colour,
        is_emphasised: false,
        id,
    });
    let marks = ContactMarks(marks.collect());
    for mut owner in &mut owners {
        owner.set_if_neq(marks.clone());
    }
}
