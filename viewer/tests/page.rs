//! The HTML page of a run in a browser: Chromium without a window, WebGL in software. What the page says is held against what
//! the same frames give here; what it draws is counted.

#[path = "../../wasm/tests/browser/mod.rs"]
mod browser;

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use drystone::contact::generator::{Method, methods};
use drystone_report::inspection::colour::{self, BLUE, Legend, Rgb, colouring};
use drystone_report::inspection::{
    ColourBy, Explode, ExplodeAlong, Frame, Opened, Request, Subject, What, examine, open,
};
use drystone_report::page::{Page, Run};
use image::RgbImage;

const SCENE: &str = "cliff-edges";
const METHODS: [fn() -> Method; 2] = [methods::semi_local, methods::growth_distance];
const LAST: u64 = 3;
/// Width and height of the window, pixels, and the width of the panel at its right.
const WINDOW: [u32; 2] = [1200, 800];
const PANEL: u32 = 304;
/// A browser that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(600);

/// What the page is made of.
struct Made {
    folder: tempfile::TempDir,
    page: PathBuf,
    subjects: Vec<Subject>,
    frames: Vec<Vec<Frame>>,
}

fn make(rename: impl Fn(&mut Subject)) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let (mut subjects, mut frames) = (Vec::new(), Vec::new());
    let mut page = Page::new("A page in a browser");
    for method in METHODS {
        let what: What = SCENE.parse().unwrap();
        let Opened { subject, source, .. } = open(&Request { method: method(), ..Request::new(what) }).unwrap();
        let mut subject = (*subject).clone();
        rename(&mut subject);
        let (mut run, mut list) = (Run::new(subject.clone().into(), Page::BUDGET), Vec::new());
        source.run(&mut |frame| {
            let frame = frame.unwrap();
            let step = frame.step;
            list.push(frame.clone());
            run.add(frame);
            if step < LAST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        page.add(run);
        subjects.push(subject);
        frames.push(list);
    }
    let path = folder.path().join("page.html");
    fs::write(&path, page.html().unwrap()).unwrap();
    Made { folder, page: path, subjects, frames }
}

fn plain() -> Made {
    make(|_| ())
}

/// The browser; it has to be there.
impl Made {
    /// Runs the browser on a view of a page and returns what it writes to standard output.
    fn browse(&self, page: &Path, view: &str, arguments: &[&str]) -> String {
        let profile = tempfile::tempdir().unwrap();
        let output = profile.path().join("output");
        let [width, height] = WINDOW;
        let mut browser = Command::new(browser::chromium())
            .args(["--headless", "--no-sandbox", "--disable-gpu-sandbox", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1"])
            .args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--virtual-time-budget=5000"])
            .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
            .arg(format!("--window-size={width},{height}"))
            .args(arguments)
            .arg(format!("file://{}#{view}", page.display()))
            .stdin(Stdio::null())
            .stdout(File::create(&output).unwrap())
            .stderr(File::create(profile.path().join("messages")).unwrap())
            .spawn()
            .unwrap();
        let start = Instant::now();
        let status = loop {
            match browser.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > PATIENCE => {
                    browser.kill().unwrap();
                    panic!("the browser hangs");
                }
                None => std::thread::sleep(Duration::from_millis(50)),
            }
        };
        let messages = fs::read_to_string(profile.path().join("messages")).unwrap_or_default();
        assert!(status.success(), "{status}: {messages}");
        fs::read_to_string(output).unwrap()
    }

    fn document(&self, view: &str) -> Document {
        Document(self.browse(&self.page, view, &["--dump-dom"])).checked()
    }

    /// The document after a script of ours has run in the page.
    fn document_after(&self, view: &str, script: &str) -> Document {
        let page = fs::read_to_string(&self.page).unwrap();
        let script =
            format!("<script>addEventListener('load', () => setTimeout(() => {{ {script} }}, 100))</script></body>");
        let changed = self.folder.path().join("changed.html");
        fs::write(&changed, page.replace("</body>", &script)).unwrap();
        Document(self.browse(&changed, view, &["--dump-dom"])).checked()
    }

    fn picture(&self, view: &str) -> RgbImage {
        let file = self.folder.path().join("picture.png");
        self.browse(&self.page, view, &[&format!("--screenshot={}", file.display())]);
        image::open(file).unwrap().to_rgb8()
    }
}

/// A document as the browser has it.
struct Document(String);

impl Document {
    fn checked(self) -> Self {
        assert_eq!(self.get("ready"), "true");
        assert!(!self.0.contains("data-error="), "{}", self.get("error"));
        self
    }

    /// What the page says of its view.
    fn get(&self, name: &str) -> &str {
        let (_, body) = self.0.split_once("<body").unwrap();
        let (body, _) = body.split_once('>').unwrap();
        let (_, value) = body.split_once(&format!(" data-{name}=\"")).unwrap_or_else(|| panic!("no {name}: {body}"));
        value.split_once('"').unwrap().0
    }

    fn number(&self, name: &str) -> f64 {
        self.get(name).parse().unwrap_or_else(|_| panic!("{name} is {}", self.get(name)))
    }

    /// Whether a term of a list has that value.
    fn says(&self, term: &str, value: &str) -> bool {
        self.0.contains(&format!("<dt>{term}</dt><dd>{value}</dd>"))
    }

    fn shows_step(&self, subject: &Subject, frame: &Frame) {
        assert_eq!(self.get("method"), subject.method.name());
        assert_eq!(self.number("step") as u64, frame.step);
        assert_eq!(self.number("contacts") as usize, frame.contacts.len());
        assert_eq!(self.number("coverage"), frame.numbers.coverage.unwrap());
        assert_eq!(self.number("deepest"), frame.numbers.deepest);
        assert_eq!(self.get("quality").parse().ok(), frame.numbers.quality);
        assert!(self.says("Contacts", &frame.contacts.len().to_string()));
        assert!(self.says("Pairs looked at", &frame.numbers.pairs.to_string()));
    }
}

#[test]
fn the_page_says_what_was_found() {
    let made = plain();
    let methods = METHODS.map(|method| method());
    for (k, method) in methods.iter().enumerate() {
        let (subject, frame) = (&made.subjects[k], &made.frames[k][2]);
        let examined = examine(subject, frame);
        let document = made.document(&format!("method={method}&step=2&colour=verdict&explode=0.5&along=y"));
        document.shows_step(subject, frame);
        assert_eq!(document.get("methods"), methods.each_ref().map(Method::name).join("; "));
        assert_eq!(document.get("scene"), SCENE);
        assert_eq!(document.number("moments") as u64, LAST + 1);
        // The legend, with its counts.
        let Legend::Names { title, entries } = colouring(ColourBy::Verdict, &examined, method).legend else {
            panic!("verdicts have names");
        };
        assert!(document.0.contains(&format!("<h2>{title}</h2>")) && !entries.is_empty());
        for (_, name, count) in entries {
            assert!(document.0.contains(&format!("<span>{name}</span><b>{count}</b>")), "{name} {count}");
        }
        // Bodies are as far apart as the library moves them; poses are written with 32 bits.
        let explode = Explode { amount: 0.5, along: ExplodeAlong::Y };
        let largest = explode.shifts(&frame.poses).iter().map(|shift| shift.length()).fold(0.0, f64::max);
        assert!(largest > 0.0 && (document.number("shift") / largest - 1.0).abs() < 1e-5);
    }
    // Without a word it is the last step of the first method.
    made.document("").shows_step(&made.subjects[0], made.frames[0].last().unwrap());
}

#[test]
fn the_page_follows_its_address_keys_and_clicks() {
    let made = plain();
    let changed = made.document_after("step=1", "location.hash = 'method=growth-distance&step=3&contact=4&colour=gap'");
    changed.shows_step(&made.subjects[1], &made.frames[1][3]);
    assert_eq!((changed.get("contact"), changed.get("colour")), ("4", "gap"));
    let contact = &made.frames[1][3].contacts[4];
    let feature = drystone::scenes::contact_list::feature_name(contact.contact.feature_a);
    assert!(changed.says("Body A", &format!("{}: {feature}", made.subjects[1].bodies[contact.a.index()].name)));
    assert!(changed.0.contains(&format!("Contact 5 of {}", made.frames[1][3].contacts.len())));

    let press = |keys: &str| {
        format!(
            "for (const key of {keys}) document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true }}));"
        )
    };
    let stepped =
        made.document_after("step=0", &press("['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowUp', 'm', 'p']"));
    stepped.shows_step(&made.subjects[1], &made.frames[1][1]);
    assert_eq!((stepped.get("style"), stepped.get("colour")), ("wireframe", "plain"));
    assert_eq!(stepped.number("explode"), 0.05);
    // Played from the first step, it ends with the last.
    let played = made.document_after("step=0", &press("[' ']"));
    played.shows_step(&made.subjects[0], &made.frames[0][3]);
    assert_eq!(played.get("playing"), "false");

    // Clicks all over the picture, until one meets a contact.
    let click = "
        Element.prototype.setPointerCapture = Element.prototype.releasePointerCapture = () => {};
        const canvas = document.querySelector('canvas'), size = canvas.getBoundingClientRect();
        for (let y = 0; y < size.height; y += 12) for (let x = 0; x < size.width; x += 12) {
          if (document.body.dataset.contact !== '') break;
          for (const type of ['pointerdown', 'pointerup']) canvas.dispatchEvent(new PointerEvent(type,
            { pointerId: 1, pointerType: 'mouse', isPrimary: true, button: 0, clientX: x, clientY: y, bubbles: true }));
        }";
    let clicked = made.document_after("step=2", click);
    let contact = clicked.number("contact") as usize;
    assert!(contact < made.frames[0][2].contacts.len());
    assert!(clicked.0.contains(&format!("Contact {} of {}", contact + 1, made.frames[0][2].contacts.len())));
}

#[test]
fn without_webgl_there_is_a_message_and_the_numbers() {
    let made = plain();
    let document = Document(made.browse(&made.page, "step=2", &["--dump-dom", "--disable-3d-apis"]));
    assert_eq!(document.get("ready"), "without-picture");
    assert!(document.0.contains("id=\"no-picture\" class=\"message\">") && !document.0.contains("data-error="));
    document.shows_step(&made.subjects[0], &made.frames[0][2]);
    // Where there is WebGL, the message is hidden.
    assert!(made.document("").0.contains("id=\"no-picture\" class=\"message\" hidden"));
}

#[test]
fn names_are_text_wherever_they_stand() {
    let nasty = "</script><b>x</b> & \"q\" 'r'";
    let made = make(|subject| {
        subject.scene = nasty.into();
        subject.bodies.iter_mut().for_each(|body| body.name = nasty.into());
    });
    let document = made.document("step=2&contact=0");
    let text = "&lt;/script&gt;&lt;b&gt;x&lt;/b&gt; &amp; \"q\" 'r'";
    assert!(document.0.contains(&format!("<h1 id=\"title\">{text}</h1>")) && !document.0.contains("<b>x</b>"));
    assert!(document.0.contains(&format!("<dd>{text}: ")));
    document.shows_step(&made.subjects[0], &made.frames[0][2]);
}

/// How many pixels of a part of a picture are near a colour.
fn count(picture: &RgbImage, columns: std::ops::Range<u32>, is: impl Fn(Rgb) -> bool) -> usize {
    picture.enumerate_pixels().filter(|(x, _, pixel)| columns.contains(x) && is(pixel.0)).count()
}

fn is_red([r, g, b]: Rgb) -> bool {
    r > 150 && g < 110 && b < 110
}

fn is_blue([r, g, b]: Rgb) -> bool {
    b > 120 && r < 110 && g < 120 && b > g.saturating_add(60)
}

#[test]
fn the_page_draws_bodies_contacts_and_legend() {
    let made = plain();
    let (stage, panel) = (0..WINDOW[0] - PANEL, WINDOW[0] - PANEL..WINDOW[0]);
    let paper = made.picture("look=paper&explode=0.5&step=2&method=growth-distance");
    assert_eq!(paper.width(), WINDOW[0]);
    let drawn = [count(&paper, stage.clone(), is_red), count(&paper, stage.clone(), is_blue)];
    assert!(drawn[0] > 1500 && drawn[1] > 1500, "red and blue pixels: {drawn:?}");
    assert!(count(&paper, panel.clone(), |pixel| pixel == BLUE) > 60, "the spot of the legend");

    // Without bodies there is nothing red; with larger marks there is more blue.
    let alone = made.picture("look=paper&bodies=hidden&explode=0.5&step=2&method=growth-distance&marks=2");
    assert_eq!(count(&alone, stage.clone(), is_red), 0);
    assert!(count(&alone, stage.clone(), is_blue) > drawn[1]);

    // Coloured by quality: wrong normals are seen, and the ramp of the legend from its first to its last colour.
    let quality = made.picture("bodies=hidden&explode=0.5&step=2&method=growth-distance&colour=quality");
    let examined = examine(&made.subjects[1], &made.frames[1][2]);
    let ramp = colouring(ColourBy::Quality, &examined, &METHODS[1]()).legend;
    let Legend::Ramp { stops, .. } = ramp else { panic!("quality has values") };
    let near = |colour: Rgb| move |pixel: Rgb| colour.iter().zip(pixel).all(|(a, b)| a.abs_diff(b) < 12);
    for (_, colour) in [stops[0], stops[stops.len() - 1]] {
        assert!(count(&quality, panel.clone(), near(colour)) > 20, "{colour:?}");
    }
    assert_eq!(count(&quality, stage.clone(), is_blue), 0);
    let wrong = colour::colouring(ColourBy::Quality, &examined, &METHODS[1]()).colours;
    assert!(wrong.iter().any(|colour| is_red(*colour) || colour[0] > 200));
    assert!(count(&quality, stage, |[r, g, b]| r > 150 && b < 90 && r > g) > 300);
}
