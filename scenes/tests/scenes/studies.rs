//! The studies in small: what their runs find, and that a folder of records gives it back.

use std::path::Path;

use drystone_contact::generator::{Method, methods};
use drystone_replica::Variant;
use drystone_replica::published::published;
use drystone_scenes::study::pillar_quality::MINIMUM;
use drystone_scenes::study::{Outcome, Plan, Run, Sample, Statistics, Store, Study};

fn sample(run: &Run) -> Sample {
    match run.outcome(run.execute().unwrap()).unwrap() {
        Outcome::Sample(sample) => sample,
        Outcome::Statistics(_) => panic!("{} has no sample", run.study),
    }
}

fn statistics(run: &Run) -> Statistics {
    match run.outcome(run.execute().unwrap()).unwrap() {
        Outcome::Statistics(statistics) => statistics,
        Outcome::Sample(_) => panic!("{} has no statistics", run.study),
    }
}

fn of_method(study: Study, variant: Variant, method: Method) -> Vec<Run> {
    study.runs(&Plan { methods: vec![variant.of(&method)], ..Plan::new(variant) })
}

/// The names of the methods by descending quality in the second step of the Pillar.
fn ranking(variant: Variant) -> Vec<String> {
    let runs = Study::PillarQuality.runs(&Plan::new(variant));
    let quality = |run: &Run| {
        let sample = sample(run);
        (sample.matching as f64 / sample.contacts as f64, run.method.name().to_owned())
    };
    let mut qualities: Vec<(f64, String)> = runs.iter().map(quality).collect();
    qualities.sort_by(|p, q| q.0.total_cmp(&p.0));
    qualities.into_iter().map(|(_, method)| method).collect()
}

#[test]
fn the_earlier_variant_ranks_the_methods_as_table_7_does_and_the_others_do_not() {
    let mut table: Vec<String> = methods::local().iter().map(|method| method.name().to_owned()).collect();
    let quality = |method: &str| published("pillar", method).unwrap().quality.unwrap();
    table.sort_by(|p, q| quality(q).total_cmp(&quality(p)));
    assert_eq!(ranking(Variant::Earlier), table);
    assert_ne!(ranking(Variant::Published), table);
    assert_ne!(ranking(Variant::Corrected), table);
}

/// Contacts, and those with the normal up, as an older state of the program behind the paper finds them.
#[test]
fn the_earlier_variant_finds_what_the_older_program_does() {
    let known = [
        (methods::closest_points(), 163, 163),
        (methods::intersection(), 360, 66),
        (methods::most_opposing(), 346, 310),
    ];
    for (method, contacts, matching) in known {
        let sample = sample(&of_method(Study::PillarQuality, Variant::Earlier, method.clone())[0]);
        assert_eq!((sample.contacts, sample.matching), (contacts, matching), "{method}");
        assert_eq!(sample.up.iter().filter(|up| (*up - 1.0).abs() < 1e-4).count(), matching, "all pairs lie across y");
        assert!(sample.qualities.windows(2).all(|pair| pair[0] >= pair[1]) && sample.qualities.len() == contacts);
        assert!(contacts > MINIMUM);
    }
}

#[test]
fn wall_and_arch_have_their_areas() {
    for (study, interfaces, total) in [(Study::Wall, 213, 37.59375), (Study::Arch, 14, 14.0)] {
        let sample = sample(&of_method(study, Variant::Corrected, methods::closest_points())[0]);
        assert_eq!((sample.areas.len(), sample.step, sample.parameter), (interfaces, 2, 0.0));
        let expected: f64 = sample.areas.iter().map(|area| area.expected).sum();
        let measured: f64 = sample.areas.iter().map(|area| area.measured).sum();
        assert!((expected / total - 1.0).abs() < 1e-9, "{expected}");
        assert!((sample.coverage.unwrap() - measured / expected).abs() < 1e-12);
    }
}

/// What the paper says of the two methods that it shows.
#[test]
fn the_wall_is_covered_as_the_paper_says() {
    let of = |method| sample(&of_method(Study::Wall, Variant::Published, method)[0]);
    let opposing = of(methods::most_opposing());
    assert!((opposing.coverage.unwrap() - 0.93).abs() < 0.02);
    assert_eq!(opposing.matching, opposing.contacts, "not a single normal is wrong");
    assert!((of(methods::closest_points()).coverage.unwrap() - 0.89).abs() < 0.02);
    let arch = sample(&of_method(Study::Arch, Variant::Published, methods::closest_points())[0]);
    assert!((arch.coverage.unwrap() - 0.64).abs() < 0.04);
}

#[test]
fn contacts_are_counted_in_every_step() {
    let run = |steps| Run {
        steps,
        ..of_method(Study::ContactStatistics, Variant::Earlier, methods::vertex_only())[0].clone()
    };
    let short = statistics(&run(3));
    // The first two as the program behind the paper counts them.
    assert_eq!(short.counts[..2], [58, 27]);
    assert_eq!((short.counts.len(), short.published), (3, None), "table 6 is about 500 steps");
    let sum: usize = short.counts.iter().sum();
    assert!((short.mean - sum as f64 / 3.0).abs() < 1e-12);
    assert_eq!(Some(&short.max), short.counts.iter().max());
    assert_eq!(statistics(&run(2)).counts, short.counts[..2]);
}

#[test]
fn a_parameter_changes_what_is_found() {
    let parameters = |study: Study, values: &[f64]| {
        let runs = of_method(study, Variant::Corrected, methods::vertex_only());
        let mut of_values: Vec<(f64, Sample)> = Vec::new();
        for run in runs.iter().filter(|run| run.seed.is_none_or(|seed| seed == 0)) {
            of_values.push((run.parameter(), sample(run)));
        }
        assert_eq!(of_values.iter().map(|(value, _)| *value).collect::<Vec<_>>(), values, "{study}");
        for (i, (value, sample)) in of_values.iter().enumerate() {
            assert_eq!(sample.parameter, *value);
            for (_, other) in &of_values[..i] {
                assert_ne!(sample.found.contacts, other.found.contacts, "{study}");
            }
        }
        of_values
    };
    parameters(Study::Perturbation, &[0.0, 0.01, 0.02, 0.03]);
    let steps = parameters(Study::TimeStep, &[0.001, 0.01, 0.1]);
    assert!(steps.iter().all(|(_, sample)| sample.step == 3));
    let levels = parameters(Study::Refinement, &[0.0, 1.0, 2.0]);
    assert!(levels[2].1.contacts > levels[0].1.contacts);
}

#[test]
fn a_record_is_kept_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("runs")).unwrap();
    for method in methods::local() {
        let run = &of_method(Study::PillarQuality, Variant::Published, method.clone())[0];
        assert_eq!(store.load(run).unwrap(), None);
        let record = run.execute().unwrap();
        store.save(run, &record).unwrap();
        assert_eq!(store.load(run).unwrap(), Some(record), "{method}");
    }
}

fn spoiled(path: &Path, change: impl Fn(String) -> String) {
    std::fs::write(path, change(std::fs::read_to_string(path).unwrap())).unwrap();
}

#[test]
fn a_file_that_is_not_whole_or_not_of_this_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let run = &of_method(Study::PillarQuality, Variant::Published, methods::vertex_only())[0];
    let record = run.execute().unwrap();
    let path = folder.path().join(run.file_name());
    let refused = |change: fn(String) -> String| {
        store.save(run, &record).unwrap();
        spoiled(&path, change);
        store.load(run).unwrap_err().to_string()
    };
    let cut = refused(|text| text[..text.len() / 2].into());
    assert!(cut.contains("is damaged") && cut.contains("EOF") && cut.contains(&run.file_name()), "{cut}");
    let empty = refused(|_| String::new());
    assert!(empty.contains("is damaged"), "{empty}");
    let counts = refused(|text| text.replace("\"counts\":[58,27]", "\"counts\":[58,28]"));
    assert!(counts.contains("27 contacts, but counts Some(28)"), "{counts}");
    let counts = refused(|text| text.replace("\"counts\":[58,27]", "\"counts\":[27]"));
    assert!(counts.contains("counts of 1 steps instead of 2"), "{counts}");
    let body = refused(|text| text.replacen("[[0,1,", "[[0,8,", 1));
    assert!(body.contains("contact 0 lies between bodies 0 and 8 of 8"), "{body}");
    let feature = refused(|text| text.replacen("vertex", "corner", 1));
    assert!(feature.contains("corner"), "{feature}");
    let format = refused(|text| text.replace("drystone.run/1", "drystone.run/9"));
    assert!(format.contains("its format is \"drystone.run/9\""), "{format}");
    let unknown = refused(|text| text.replace("\"poses\"", "\"places\""));
    assert!(unknown.contains("places"), "{unknown}");
    let program = refused(|text| text.replace(concat!("drystone ", env!("CARGO_PKG_VERSION")), "drystone 0.0.1"));
    assert!(program.contains("other settings") && program.contains("drystone 0.0.1"), "{program}");
    let settings = refused(|text| text.replace("\"steps\":2", "\"steps\":4"));
    assert!(settings.contains("steps 4 instead of 2"), "{settings}");
    store.save(run, &record).unwrap();
    // Others have files of their own.
    for other in [Run { steps: 7, ..run.clone() }, Run { scene: "wall".into(), ..run.clone() }] {
        assert_eq!(store.load(&other).unwrap(), None);
    }
    assert_eq!(store.load(run).unwrap(), Some(record));
}
