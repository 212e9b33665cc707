//! The same scene gives the same bits: on one, two and eight threads, in a replay, and resumed from any step.

use std::io::Cursor;

use drystone_contact::generator::{Method, methods};
use drystone_engine::recording::{Recorder, Recording, RecordingSettings, StepRecord};
use drystone_replica::Variant;
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::simulation::{WorldPreset, world};

/// What is run: a scene of a size, how, and how far.
struct Run {
    scene: BuiltIn,
    size: Option<f64>,
    variant: Variant,
    world_preset: WorldPreset,
    steps: u64,
}

fn on_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(work)
}

impl Run {
    fn new(scene: BuiltIn, size: Option<f64>, steps: u64) -> Self {
        Self { scene, size, variant: Variant::Corrected, world_preset: WorldPreset::Embedding, steps }
    }

    /// Records on eight threads with a keyframe every two steps, replays on one, and goes on from the keyframe on two.
    fn check(&self, method: Method) {
        let model = if self.variant == Variant::Corrected { Model::Procedural } else { Model::Recorded };
        let scene = self.scene.scene(model, self.size).unwrap();
        let name = format!("{} by {method}", self.scene);
        let settings = RecordingSettings { keyframes: 2, ..RecordingSettings::default() };
        let (bytes, records) = on_threads(8, || {
            let mut world = world(&scene, &self.variant.of(&method), self.world_preset).unwrap();
            let mut recorder = Recorder::new(Vec::new(), &world, &settings).unwrap();
            let record = |_| {
                let report = recorder.step(&mut world).unwrap();
                StepRecord::new(&world, &report)
            };
            let records: Vec<StepRecord> = (0..self.steps).map(record).collect();
            (recorder.end().unwrap(), records)
        });
        let contacts: u64 = records.iter().map(|record| record.contacts).sum();
        assert!(contacts > 0, "{name}: nothing touches, so that nothing is tested");

        let recording = Recording::new(Cursor::new(&bytes)).unwrap();
        let mut recording = recording.with_registry(drystone_replica::readings::registry());
        on_threads(1, || {
            let mut replay = recording.replay().unwrap();
            while replay.step().unwrap_or_else(|error| panic!("{name}: {error}")).is_some() {}
            assert_eq!(replay.next_step(), self.steps + 1);
        });
        on_threads(2, || {
            let from = self.steps.div_ceil(2) + 1;
            let replay = recording.replay_from(from).unwrap_or_else(|error| panic!("{name}: {error}"));
            let mut world = replay.into_world().unwrap();
            for expected in &records[from as usize - 1..] {
                let report = world.step().unwrap();
                assert_eq!(expected.difference(&StepRecord::new(&world, &report)), None, "{name}");
            }
        });
    }

    fn check_all(&self) {
        methods::all().into_iter().for_each(|method| self.check(method));
    }
}

#[test]
fn pillar() {
    Run::new(BuiltIn::Pillar, None, 6).check_all();
}

#[test]
fn wall() {
    Run::new(BuiltIn::Wall, None, 3).check_all();
}

/// The boxes fall for some steps before they touch.
#[test]
fn pile() {
    Run::new(BuiltIn::Pile, Some(30.0), 12).check_all();
}

#[test]
fn card_house() {
    Run::new(BuiltIn::CardHouse, None, 4).check_all();
}

#[test]
fn the_settings_of_the_suite() {
    for (method, variant) in
        [(methods::volume_sat(), Variant::Corrected), (methods::growth_distance(), Variant::Published)]
    {
        Run { variant, world_preset: WorldPreset::Suite, ..Run::new(BuiltIn::Pillar, None, 4) }.check(method);
    }
}
