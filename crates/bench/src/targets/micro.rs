//! Micro-benchmarks: one property of the engine each, as a page that one client asks for again and again. Latency is the figure to read.
//!
//! Each prints what it has computed, so an engine that does less is found out. `bench.php` and `micro_bench.php` are PHP's own, from its source
//! package; they print times, which are normalised.

use super::{Application, Install, Page, Source, Target};
use std::time::Duration;

/// A page of ours.
macro_rules! own {
    ($($name:literal $title:literal)*) => {
        &[$(($name, $title, include_str!(concat!("../../targets/micro/", $name, ".php")))),*]
    };
}

const OWN: &[(&str, &str, &str)] = own! {
    "calls" "calls of functions and methods"
    "properties" "properties, constants, statics"
    "arrays" "lists and maps"
    "strings" "strings"
    "objects" "objects, enums, magic methods"
    "closures" "closures and callables"
    "generators" "generators"
    "sort" "sorting"
    "preg" "regular expressions"
    "json" "JSON and serialize"
    "autoload" "autoload of 1,000 classes"
};

/// One client's answers vary little: two seconds of a run say as much as ten.
const DURATION: Duration = Duration::from_secs(2);

/// Where `jumbo bench setup` puts PHP's own benchmarks, inside.
pub const SOURCES: &str = "/srv/jumbo-bench/sources";

static BENCH: Application = Application {
    group: "sources",
    needs: "/srv/jumbo-bench/sources/bench.php",
    folders: &[("site", "{work}/site")],
    document_root: "{work}/site",
    front_controller: None,
    database: false,
    install: own_of_php,
};

fn own_of_php(install: &Install) -> Result<(), String> {
    install.copy(SOURCES, "site")
}

pub fn all() -> Vec<Target> {
    let mut all: Vec<Target> = OWN.iter().map(|&(name, title, text)| own(name, title, text)).collect();
    for (name, phrase) in [("bench", "ackermann(7)"), ("micro_bench", "func()")] {
        let page = Page::new(&format!("/{name}.php"), 1, phrase);
        let title = format!("PHP's own {name}.php");
        let mut target = Target::new(&format!("micro/{name}"), &title, Source::Application(&BENCH), vec![page]).normalise(&[
            // Times, a dash where there is none, and the blanks that pad them.
            ("[ \\t]+(-|[0-9]+\\.[0-9]{3}|[ \\t])+", " TIMES"),
        ]);
        (target.clients, target.duration) = (Some(1), Some(DURATION));
        all.push(target);
    }
    all
}

fn own(name: &str, title: &str, text: &str) -> Target {
    let mut files = vec![(format!("{name}.php"), text.to_owned())];
    if name == "autoload" {
        files.extend((0..1000).map(many));
    }
    let page = Page::new(&format!("/{name}.php"), 1, &format!("{name} ")).bytes(8, 200);
    let mut target = Target::new(&format!("micro/{name}"), title, Source::Files(files), vec![page]);
    (target.clients, target.duration) = (Some(1), Some(DURATION));
    target
}

/// One of the thousand classes: no two are equal, each has a constant, properties, methods and a parent within its group.
fn many(n: usize) -> (String, String) {
    let group = n / 100;
    let parent = if n % 100 == 0 { String::new() } else { format!(" extends \\Many\\G{group}\\C{}", group * 100) };
    let text = format!(
        "<?php\n\ndeclare(strict_types=1);\n\nnamespace Many\\G{group};\n\n/** Class number {n}. */\nclass C{n}{parent}\n{{\n    public const NUMBER = {n};\n\n    \
         protected array $options{n} = ['name' => 'class {n}', 'on' => true, 'list' => [1, 2, {n}]];\n\n    public function __construct(protected int $given)\n    {{\n    }}\n\n    \
         public function value(): int\n    {{\n        return $this->given + self::NUMBER + count($this->options{n});\n    }}\n\n    \
         public function unused{n}(?string $name = null): string\n    {{\n        if ($name === null) {{\n            return 'none';\n        }}\n        \
         return strtoupper($name) . '{n}';\n    }}\n}}\n"
    );
    (format!("many/G{group}/C{n}.php"), text)
}
