use drystone_contact::generator::{Method, Variant};
use drystone_scenes::assessment::{Assessment, assess};
use drystone_scenes::cases::{Case, Model};
use drystone_scenes::contact_region::RegionSettings;
use drystone_scenes::detection::Moment;
use drystone_scenes::measure::Matching;
use drystone_scenes::truth::TruthKind;
fn main() {
    for size in [None, Some(25.0)] {
        for case in Case::ALL {
            print!("{:16}", case.name());
            for moment in [Moment::Start, Moment::Step(1), Moment::Step(2), Moment::Step(3), Moment::Step(10)] {
                let scene = case.scene(Model::Procedural, size).unwrap();
                let request = Assessment { variant: Variant::Corrected, truth: TruthKind::Corrected, moment: Some(moment), matching: Matching::default(), region: RegionSettings::default() };
                let r = assess(&scene, Method::SemiLocal, &request).unwrap();
                print!(" | {:3.0} {:3.0} {}/{} ", r.row.score.coverage * 100.0, r.row.score.quality * 100.0, r.row.score.contacts, r.row.minimum_at_pose);
                if std::env::args().len() > 1 && (r.row.score.quality < 1.0 || r.row.score.contacts != r.row.minimum_at_pose) {
                    for c in &r.detection.contacts { println!("   {:?} n {:.4} g {:.5} {:?} {:?}", c.contact.position, c.contact.normal, c.contact.gap, c.contact.feature_a, c.contact.feature_b); }
                }
            }
            println!();
        }
    }
}
