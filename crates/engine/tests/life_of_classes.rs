//! Linked classes go with the units that declare them, and when one of their relatives is gone.

mod common;

use jumbo_abi::Extension;
use jumbo_runtime::linked;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::task::{Context, Waker};

static MORE: [&Extension; 3] = [&jumbo_ext_json::EXTENSION, &jumbo_ext_spl::EXTENSION, &jumbo_ext_strings::EXTENSION];

/// The count of classes is the process's.
static ALONE: Mutex<()> = Mutex::new(());

fn run(code: &str) -> String {
    let (mut running, output) = common::start(&MORE, code);
    while running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {}
    output.text()
}

/// A folder that goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("jumbo-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
    fn write(&self, name: &str, code: &str) {
        // Another file: the length tells it from the one before, whatever the clock says.
        std::fs::write(self.0.join(name), code).expect("a file");
    }
    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn resident_bytes() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("statm");
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("pages") << 12
}

#[test]
fn of_evaluated_code() {
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    let methods: String = (0..200).map(|n| format!("public $p{n} = [1, {n}]; const C{n} = self::class . {n}; function m{n}($a, $b = {n}) {{ static $s; return $a; }}")).collect();
    let code = format!(
        "eval('abstract class P {{ {methods} abstract function q(); }}');
        eval('trait T {{ private $t = 1; function q() {{ return $this->t; }} }} enum E: string {{ case A = \"a\"; }}');
        eval('class C extends P implements Countable {{ use T; function count(): int {{ return 7; }} }}');
        echo count(new C), (new C)->q(), E::from('a')->value, count(get_class_methods('C'));"
    );
    assert_eq!(run(&code), "71a202");
    let (classes, bytes) = (linked::count(), resident_bytes());
    for _ in 0..200 {
        assert_eq!(run(&code), "71a202");
        assert_eq!(linked::count(), classes);
    }
    // What 200 of them take is ten times that.
    assert!(resident_bytes() < bytes + (8 << 20), "{bytes} bytes, then {}", resident_bytes());
}

#[test]
fn of_files_that_change() {
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    let folder = Folder::new("changing");
    let code = format!(
        "chdir('{}'); spl_autoload_register(fn($c) => include strtolower($c) . '.php'); echo (new Leaf)->name(), ' ', Leaf::D, ' ', other(), (new Other)->name();",
        folder.path().display()
    );
    folder.write("leaf.php", "<?php class Leaf extends Middle implements Face { use Part; }");
    folder.write("middle.php", "<?php class Middle extends Base { const D = self::C . '!'; }");
    folder.write("face.php", "<?php interface Face { function name(); }");
    let mut counts = Vec::new();
    for round in 0..12 {
        let padding = " ".repeat(round);
        folder.write("base.php", &format!("<?php{padding} class Base {{ const C = 'c{round}'; }} function other() {{ class Other extends Leaf {{ function name() {{ return 'o{round}'; }} }} }}"));
        folder.write("part.php", &format!("<?php{padding} trait Part {{ function name() {{ return 'n{round}'; }} }}"));
        // Classes of both files have ancestors in the other one.
        assert_eq!(run(&code), format!("n{round} c{round}! o{round}"));
        counts.push(linked::count());
    }
    assert!(counts.windows(2).skip(2).all(|pair| pair[0] == pair[1]), "{counts:?}");
}

#[test]
fn on_two_threads() {
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    let folder = Folder::new("threads");
    folder.write("child.php", "<?php class Child extends Ancestor { use Ability; }");
    folder.write("ability.php", "<?php trait Ability { function name() { return parent::name() . 'a'; } }");
    folder.write("ancestor.php", "<?php class Ancestor { function name() { return 'x'; } }");
    let code = format!(
        "chdir('{}'); spl_autoload_register(fn($c) => include strtolower($c) . '.php'); echo (new Child)->name(), method_exists('Child', 'name') ? 1 : 0;",
        folder.path().display()
    );
    run(&code);
    let other = folder.path().join("new.php");
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..60 {
                    let text = run(&code);
                    assert!(text.ends_with("a1") && text.starts_with('x'), "{text}");
                }
            });
        }
        for round in 0..40 {
            // Whole at once, as files of live sites are replaced.
            std::fs::write(&other, format!("<?php class Ancestor {{ function name() {{ return 'x{round}{}'; }} }}", "y".repeat(round))).expect("a file");
            std::fs::rename(&other, folder.path().join("ancestor.php")).expect("replaced");
        }
    });
}
