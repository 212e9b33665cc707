//! trial
use drystone::contact::generator::Method;
use drystone::inspection::*;
use drystone_viewer::headless::*;
use drystone_viewer::model::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let request = Request { method: a[2].parse::<Method>().unwrap(), ..Request::new(a[1].parse::<What>().unwrap()) };
    let mut view = View::default();
    if a[3].contains("paper") { view.set_paper(); }
    if a[3].contains('y') { view.explode = Explode { amount: a[4].parse().unwrap(), along: ExplodeAlong::Y }; }
    if a[3].contains('c') { view.explode = Explode { amount: a[4].parse().unwrap(), along: ExplodeAlong::Centre }; }
    let mut state = State::new(request, view, State::DEFAULT_BUDGET);
    state.playback.go_to(3);
    let t = std::time::Instant::now();
    let mut h = Headless::new(state, Settings { camera: a.get(6).map(|c| c.parse().unwrap()).unwrap_or_default(), ..Settings::default() });
    println!("{} {:?}", h.adapter(), t.elapsed());
    let p = h.picture().unwrap();
    println!("{:?}", t.elapsed());
    p.save(&a[5]).unwrap();
}
