//! Damaged recordings are refused with a reason, whatever the damage; what is intact of them can be read.

use std::io::Cursor;
use std::sync::LazyLock;

use drystone_engine::World;
use drystone_engine::recording::{FrameKind, MAGIC, Recording, SnapshotReason};
use drystone_engine::world::Snapshot;
use proptest::prelude::*;

use super::sample::{Sample, frames, record, reframed};

static WHOLE: LazyLock<Sample> = LazyLock::new(|| record(12, 5));

/// Opens damaged bytes, which has to fail with a message; the intact part, if there is one, holds true steps only.
fn refused(bytes: &[u8]) -> Result<(), TestCaseError> {
    let error = Recording::new(Cursor::new(bytes)).err();
    let Some(error) = error else { return Err(TestCaseError::fail("not refused")) };
    prop_assert!(!error.to_string().is_empty());
    if let Ok((mut recording, damage)) = Recording::intact_part(Cursor::new(bytes)) {
        prop_assert_eq!(damage.map(|damage| damage.to_string()), Some(error.to_string()));
        prop_assert!(recording.next_step() <= 13);
        for step in 1..recording.next_step() {
            let record = recording.record(step).unwrap();
            prop_assert_eq!(record.difference(&WHOLE.steps[step as usize - 1]), None);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn flipped_bits_are_found(bits in prop::collection::vec(any::<prop::sample::Index>(), 1..4)) {
        let mut bytes = WHOLE.bytes.clone();
        let size = 8 * bytes.len();
        for bit in bits {
            let bit = bit.index(size);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        prop_assume!(bytes != WHOLE.bytes);
        refused(&bytes)?;
    }

    #[test]
    fn cuts_are_found(end in any::<prop::sample::Index>()) {
        refused(&WHOLE.bytes[..end.index(WHOLE.bytes.len())])?;
    }

    #[test]
    fn lost_and_repeated_pieces_are_found(
        at in any::<prop::sample::Index>(), length in 1_usize..300, repeat in any::<bool>(),
    ) {
        let whole = &WHOLE.bytes;
        let start = at.index(whole.len() - 1);
        let end = (start + length).min(whole.len());
        let next = if repeat { start } else { end };
        let bytes = [&whole[..if repeat { end } else { start }], &whole[next..]].concat();
        prop_assume!(bytes != *whole);
        refused(&bytes)?;
    }

    #[test]
    fn noise_is_no_recording(noise in prop::collection::vec(any::<u8>(), 0..400), with_magic in any::<bool>()) {
        let magic = if with_magic { MAGIC } else { &[] };
        prop_assert!(Recording::intact_part(Cursor::new([magic, &noise].concat())).is_err());
    }

    /// Somebody writes nonsense into a frame and makes the checksums right: nothing panics, nothing grows without bound.
    #[test]
    fn forged_content_does_no_harm(
        frame in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut frames = frames(&WHOLE.bytes);
        let count = frames.len() - 1;
        let content = &mut frames[frame.index(count)].1;
        for (at, byte) in changes {
            let at = at.index(content.len());
            content[at] = byte;
        }
        if let Some(cut) = cut {
            content.truncate(cut.index(content.len()));
        }
        let bytes = reframed(&frames);
        let _ = Recording::new(Cursor::new(&bytes));
        for (kind, content) in &frames {
            let snapshot = postcard::from_bytes::<(SnapshotReason, Snapshot)>(content);
            if *kind == FrameKind::Snapshot && let Ok((_, snapshot)) = snapshot {
                let _ = World::from_snapshot(&snapshot, &Default::default());
            }
        }
    }
}

/// The frame, its place and what is wrong are said.
#[test]
fn messages_say_where_and_what() {
    let whole = &WHOLE.bytes;
    let message = |bytes: &[u8]| Recording::new(Cursor::new(bytes)).err().unwrap().to_string();
    assert!(message(b"solid cube\n").contains("drystone.recording/2"));
    let mut altered = whole.clone();
    let header_start = MAGIC.len();
    altered[header_start + 40] ^= 4;
    let expected = format!("frame 0 at byte {header_start} was altered: the checksum differs");
    assert_eq!(message(&altered), expected);
    let cut = message(&whole[..whole.len() - 3]);
    assert!(cut.contains(&format!("cut off at byte {}", whole.len() - 3)), "{cut}");
    let mut order = frames(whole);
    let step = order.iter().position(|(kind, _)| *kind == FrameKind::Step).unwrap();
    order.remove(step);
    let lost = message(&reframed(&order));
    assert!(lost.contains("it is step 2 in place of step 1"), "{lost}");
    order.remove(0);
    assert!(message(&reframed(&order)).contains("the first frame should be a header"));
}
