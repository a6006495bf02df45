//! PHP's extensions: a site looks at what is there and does more, or other things, when it finds more. So all engines get the same list, as far as
//! that can be arranged.
//!
//! What a target cannot do without is loaded whatever the engines have: one that lacks it fails by itself, and its cell says so. Of what a
//! site uses when it is there ([`OPTIONAL`]), stock PHP loads what all PHPs of the session have; what was left out for whom is saved with the
//! results, and so is the whole list of each engine.

use crate::engines::{Engine, Kind, Options};
use crate::place::Place;
use crate::targets::Target;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Extensions apart from PHP's core that sites look for, in an order in which they can be loaded (PDO before its drivers).
pub const OPTIONAL: &[&str] = &[
    "apcu", "bcmath", "calendar", "ctype", "curl", "dom", "exif", "fileinfo", "gd", "gettext", "gmp", "iconv", "intl", "mbstring", "mysqlnd", "mysqli", "pdo",
    "pdo_mysql", "pdo_sqlite", "posix", "simplexml", "sqlite3", "tokenizer", "xml", "xmlreader", "xmlwriter", "zip",
];

/// What the engines of a target have, and what stock PHP is to load.
#[derive(Debug, Default, PartialEq)]
pub struct Plan {
    /// For stock PHP, in loading order.
    pub load: Vec<String>,
    /// What stock PHP has and is not to load, with the engines that lack it.
    pub left_out: BTreeMap<String, Vec<String>>,
    /// What some have built in and stock PHP has not, with those engines: it cannot be equal.
    pub only_in: BTreeMap<String, Vec<String>>,
}

/// An engine and its extensions: stock PHP's are those that it could load.
#[derive(Debug, Clone)]
pub struct Having {
    pub engine: String,
    pub is_stock: bool,
    pub extensions: Vec<String>,
}

impl Having {
    fn has(&self, name: &str) -> bool {
        self.extensions.iter().any(|h| h == name)
    }
}

impl Plan {
    /// `having` are the engines whose extensions are known.
    pub fn of(target: &Target, having: &[Having]) -> Plan {
        let mut plan = Plan::default();
        let names = |which: &dyn Fn(&&Having) -> bool| having.iter().filter(which).map(|h| h.engine.clone()).collect::<Vec<_>>();
        for &name in OPTIONAL {
            let required = target.required.iter().any(|r| r == name);
            if !required && !target.takes_optional {
                continue;
            }
            let lacking = names(&|h| !h.has(name));
            let built_in = names(&|h| !h.is_stock && h.has(name));
            if required || lacking.is_empty() {
                plan.load.push(name.to_owned());
            } else if !built_in.is_empty() {
                plan.only_in.insert(name.to_owned(), built_in);
            } else if lacking.len() < having.len() {
                plan.left_out.insert(name.to_owned(), lacking);
            }
        }
        plan
    }

    /// For the results.
    pub fn describe(&self) -> Value {
        json!({"loaded": self.load, "left_out": self.left_out, "only_in": self.only_in})
    }
}

/// What the engines have; the extensions of a URL or of RoadRunner's workers are not known.
pub fn of_engines(engines: &[Engine], place: &Place, options: &Options) -> Vec<Having> {
    let having = |engine: &Engine| {
        let is_stock = matches!(engine.kind, Kind::Fpm { .. });
        Some(Having { engine: engine.name.clone(), is_stock, extensions: engine.extensions(place, options)? })
    };
    engines.iter().filter_map(having).collect()
}

/// Those of the target's required extensions that an engine lacks.
pub fn missing<'t>(target: &'t Target, has: &[String]) -> Vec<&'t str> {
    target.required.iter().map(String::as_str).filter(|name| !has.iter().any(|h| h == name)).collect()
}

/// The list that `php -m` prints, in lower case.
pub fn parse_modules(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).skip_while(|line| *line != "[PHP Modules]").skip(1);
    lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.is_empty()).map(str::to_ascii_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn having(engine: &str, names: &[&str]) -> Having {
        Having { engine: engine.to_owned(), is_stock: engine == "fpm", extensions: names.iter().map(|&n| n.to_owned()).collect() }
    }

    #[test]
    fn all_get_what_all_have() {
        let mut target = crate::targets::find("wordpress", &[]).unwrap().remove(0);
        target.required = vec!["mysqli".into()];
        let engines = [having("fpm", &["simplexml", "ctype", "mysqli", "pdo"]), having("jumbo", &["apcu", "ctype", "mysqli"])];
        let plan = Plan::of(&target, &engines);
        assert_eq!(plan.load, ["ctype", "mysqli"]);
        assert_eq!(plan.left_out.keys().collect::<Vec<_>>(), ["pdo", "simplexml"]);
        assert_eq!(plan.left_out["simplexml"], ["jumbo"]);
        assert_eq!(plan.only_in.into_iter().collect::<Vec<_>>(), [("apcu".to_owned(), vec!["jumbo".to_owned()])]);
        // What it cannot do without is loaded all the same.
        target.required.push("simplexml".into());
        assert_eq!(Plan::of(&target, &engines).load, ["ctype", "mysqli", "simplexml"]);
        assert_eq!(missing(&target, &engines[1].extensions), ["simplexml"]);
        // Pages that look at no extension get none.
        let hello = crate::targets::find("hello", &[]).unwrap().remove(0);
        assert_eq!(Plan::of(&hello, &engines), Plan::default());
    }

    #[test]
    fn required_extensions_can_be_loaded() {
        for target in crate::targets::all() {
            assert!(target.required.iter().all(|name| OPTIONAL.contains(&name.as_str())), "{}: {:?}", target.name, target.required);
        }
    }

    #[test]
    fn lists_of_modules_are_read() {
        assert_eq!(parse_modules("[PHP Modules]\nCore\nPDO\n\n[Zend Modules]\nZend OPcache\n"), ["core", "pdo"]);
        assert_eq!(parse_modules("no such option"), Vec::<String>::new());
    }
}
