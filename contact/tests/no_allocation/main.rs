//! What allocates nothing once warm; a binary of its own, as it counts what the whole of it allocates.

mod ccd;
mod generators;
mod time_of_contact;
mod triangle_solids;
