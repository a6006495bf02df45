//! What is asked of the servers: pages and whole applications, their data, and what their answers must be.
//!
//! A target is a list of requests with weights and checks, and a site that serves them. Sites that write (a wiki, a shop) are installed
//! once into a *template*, and each engine gets a fresh copy at the same paths. Data comes from seeded generators, so it is the
//! same everywhere. What an engine cannot run is not left out: its cell is void, with what the engine said.

mod applications;
mod micro;
mod mediawiki;
mod simple;
mod wordpress;

pub use micro::SOURCES as PHP_SOURCES;

use crate::database;
use crate::engines::{Engine, Site};
use crate::load::{self, Expectation, Reference, Request};
use crate::normalise::Normaliser;
use crate::place::{Mount, Place, copy_folder, make_folder, remove_folder, write_file};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A request of a target's mix.
#[derive(Debug, Clone)]
pub struct Page {
    pub path: String,
    pub weight: u32,
    pub status: u16,
    pub phrase: Option<String>,
    pub body_bytes: (usize, usize),
}

impl Page {
    /// A page with status 200 that contains a phrase.
    pub fn new(path: &str, weight: u32, phrase: &str) -> Page {
        let phrase = Some(phrase.to_owned()).filter(|p| !p.is_empty());
        Page { path: path.to_owned(), weight, status: 200, phrase, body_bytes: (1, usize::MAX) }
    }

    pub fn status(mut self, status: u16) -> Page {
        self.status = status;
        self
    }

    /// The size of its body, at least and at most.
    pub fn bytes(mut self, min: usize, max: usize) -> Page {
        self.body_bytes = (min, max);
        self
    }

    pub fn request(&self, host: &str) -> Vec<u8> {
        load::request("GET", host, &self.path, &[], b"", true)
    }

    pub fn expectation(&self, body: Option<Arc<Reference>>) -> Expectation {
        Expectation {
            status: self.status,
            phrase: self.phrase.as_ref().map(|p| p.clone().into_bytes()),
            body_bytes: self.body_bytes.0..=self.body_bytes.1,
            body,
        }
    }

    pub fn load_request(&self, host: &str, body: Option<Arc<Reference>>) -> Request {
        Request { bytes: self.request(host), weight: self.weight, expected: Arc::new(self.expectation(body)) }
    }
}

/// Where a target's site comes from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Written into a folder: path and text.
    Files(Vec<(String, String)>),
    /// A folder of the machine.
    Folder(PathBuf),
    Application(&'static Application),
    /// The engine is a URL, and has its site.
    Elsewhere,
}

/// Something that is installed.
#[derive(Debug)]
pub struct Application {
    /// What `jumbo bench setup` calls it.
    pub group: &'static str,
    /// A path inside that is there when its packages are installed.
    pub needs: &'static str,
    /// Folders of the template and where they are seen, inside. `{work}` stands for [`Place::work`].
    pub folders: &'static [(&'static str, &'static str)],
    pub document_root: &'static str,
    pub front_controller: Option<&'static str>,
    pub database: bool,
    /// Fills the template's folders (which `Install` knows), with everything mounted as it will be.
    pub install: fn(&Install) -> Result<(), String>,
}

/// What an application's installation works with.
pub struct Install<'a> {
    pub place: &'a Place,
    pub template: PathBuf,
    pub mounts: Vec<Mount>,
}

impl Install<'_> {
    /// Runs PHP code with stock PHP's command line, as the site sees the world.
    pub fn php(&self, code: &str) -> Result<Vec<u8>, String> {
        self.place.run(&self.mounts, "php8.4", &["-d", "memory_limit=1G", "-d", "date.timezone=UTC", "-d", "display_errors=stderr"], code.as_bytes())
    }

    /// Copies a folder of the place into the template.
    pub fn copy(&self, inside: &str, folder: &str) -> Result<(), String> {
        copy_folder(&self.place.host(inside), &self.template.join(folder))
    }

    pub fn write(&self, file: &str, text: &str) -> Result<(), String> {
        write_file(&self.template.join(file), text)
    }
}

#[derive(Debug, Clone)]
pub struct Target {
    pub name: String,
    /// Whose site it is: that of the target with this name.
    site: String,
    pub title: String,
    pub pages: Vec<Page>,
    /// Patterns and what stands in their place before bodies are compared.
    pub normalise: Vec<(String, String)>,
    /// Clients of the closed loop, where the standard's 200 make no sense.
    pub clients: Option<usize>,
    /// Seconds of a run in the standard, where its ten make no sense.
    pub duration: Option<Duration>,
    pub ini: Vec<(String, String)>,
    /// Extensions that it cannot do without.
    pub required: Vec<String>,
    /// Whether it looks for extensions and uses those that are there.
    pub takes_optional: bool,
    /// What stock PHP loads: [`crate::extensions::Plan`] decides it for a session.
    pub extensions: Vec<String>,
    pub source: Source,
    /// Files of one page alone, for folders of the site's copies: path and text.
    extra: Vec<(String, String)>,
}

impl Target {
    fn new(name: &str, title: &str, source: Source, pages: Vec<Page>) -> Target {
        Target {
            name: name.to_owned(),
            site: name.to_owned(),
            title: title.to_owned(),
            pages,
            normalise: Vec::new(),
            clients: None,
            duration: None,
            ini: Vec::new(),
            required: Vec::new(),
            takes_optional: false,
            extensions: Vec::new(),
            source,
            extra: Vec::new(),
        }
    }

    /// A site: it cannot do without these extensions, and uses others when they are there.
    fn requires(mut self, names: &[&str]) -> Target {
        self.required = names.iter().map(|&n| n.to_owned()).collect();
        self.takes_optional = true;
        self
    }

    /// The same site with one page.
    fn alone(mut self, name: &str, page: Page) -> Target {
        (self.name, self.pages) = (name.to_owned(), vec![page]);
        self
    }

    fn normalise(mut self, rules: &[(&str, &str)]) -> Target {
        self.normalise = rules.iter().map(|&(p, r)| (p.to_owned(), r.to_owned())).collect();
        self
    }

    fn ini(mut self, directives: &[(&str, &str)]) -> Target {
        self.ini = directives.iter().map(|&(n, v)| (n.to_owned(), v.to_owned())).collect();
        self
    }

    pub fn normaliser(&self) -> Result<Normaliser, String> {
        Normaliser::new(&self.normalise)
    }

    /// For the results.
    pub fn describe(&self) -> Value {
        let page = |p: &Page| json!({"path": p.path, "weight": p.weight, "status": p.status, "phrase": p.phrase, "bytes_min": p.body_bytes.0});
        let mut value = json!({"title": self.title, "pages": self.pages.iter().map(page).collect::<Vec<_>>(), "normalise": self.normalise, "ini": self.ini});
        if !self.required.is_empty() {
            value["extensions_required"] = json!(self.required);
        }
        value
    }

    fn folder(&self, place: &Place) -> PathBuf {
        let name: String = self.site.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
        place.work().join("sites").join(name)
    }

    /// Makes the site ready for an engine. `php_sources` is PHP's source package, where it lies on the machine.
    pub fn prepare(&self, place: &Place, engine: &Engine) -> Result<Site, String> {
        let mut site = Site { ini: self.ini.clone(), extensions: self.extensions.clone(), ..Site::default() };
        match &self.source {
            Source::Elsewhere => {}
            Source::Files(files) => {
                site.document_root = self.folder(place);
                let host = place.host(&site.document_root);
                // Only what has changed is written: new time stamps would make caches look again.
                for (name, text) in files {
                    let path = host.join(name);
                    if std::fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
                        write_file(&path, text)?;
                    }
                }
            }
            Source::Folder(folder) if place.root().is_none() => site.document_root = folder.clone(),
            Source::Folder(folder) => {
                site.document_root = place.work().join("site");
                site.mounts.push(Mount { host: folder.clone(), inside: site.document_root.clone() });
            }
            Source::Application(application) => {
                let template = self.install(place, application)?;
                let copy = place.host(self.folder(place).join(engine.folder()));
                copy_folder(&template, &copy)?;
                for (file, text) in &self.extra {
                    write_file(&copy.join(file), text)?;
                }
                site.document_root = expand(place, application.document_root);
                site.front_controller = application.front_controller.map(str::to_owned);
                site.mounts = application.mounts(place, &copy);
                site.database = application.database.then(|| copy.join("db"));
            }
        }
        Ok(site)
    }

    /// The template of an application, made if it is not there.
    pub fn install(&self, place: &Place, application: &Application) -> Result<PathBuf, String> {
        let template = place.host(self.folder(place).join("template"));
        if template.is_dir() {
            return Ok(template);
        }
        if !place.host(application.needs).exists() {
            return Err(format!("not installed (no {}): `jumbo bench setup {}`", application.needs, application.group));
        }
        if !place.is_superuser() {
            return Err("installing an application needs root".into());
        }
        // Half an installation must never be taken for a whole one.
        let new = place.host(self.folder(place).join("template.new"));
        remove_folder(&new)?;
        for (folder, _) in application.folders {
            make_folder(&new.join(folder))?;
        }
        let install = Install { place, mounts: application.mounts(place, &new), template: new.clone() };
        let temporary = if application.database {
            make_folder(&new.join("db"))?;
            Some(database::Temporary::create(place, &new.join("db"), &install.mounts)?)
        } else {
            None
        };
        (application.install)(&install).map_err(|why| format!("installing {}: {why}", self.name))?;
        drop(temporary);
        std::fs::rename(&new, &template).map_err(|e| format!("{}: {e}", template.display()))?;
        Ok(template)
    }
}

impl Application {
    fn mounts(&self, place: &Place, copy: &Path) -> Vec<Mount> {
        let mut mounts: Vec<Mount> =
            self.folders.iter().map(|(folder, inside)| Mount { host: copy.join(folder), inside: expand(place, inside) }).collect();
        if self.database {
            mounts.push(Mount { host: copy.join("db"), inside: database::folder(place) });
        }
        mounts
    }
}

fn expand(place: &Place, path: &str) -> PathBuf {
    PathBuf::from(path.replace("{work}", &place.work().display().to_string()))
}

/// All targets with a name of their own.
pub fn all() -> Vec<Target> {
    let mut all = vec![simple::hello(), simple::info(), simple::openssl()];
    all.extend(micro::all());
    all.extend([applications::dokuwiki(), wordpress::target(), mediawiki::target(), applications::symfony(), applications::laravel()]);
    all
}

/// Single pages of them, as `jumbo bench pages` measures them.
pub fn pages() -> Vec<Target> {
    let front = |target: Target, name: &str, phrase: &str| target.alone(name, Page::new("/", 1, phrase).bytes(1000, 1_000_000));
    let post = Page::new("/2024/02/post-40/", 1, "Post 40").bytes(10_000, 500_000);
    let wiki = |name: &str, path: &str| applications::dokuwiki().alone(name, Page::new(path, 1, "dokuwiki__site").bytes(5_000, 200_000));
    let mut rendered = wiki("dokuwiki, rendered", "/doku.php?id=bench:rendered");
    // Its instructions are kept, its page is not.
    rendered.extra.push(("var/data/pages/bench/rendered.txt".into(), format!("~~NOCACHE~~\n\n{}", mediawiki::article_dokuwiki(3))));
    vec![
        front(wordpress::target(), "wordpress, front page", "Jumbo Bench"),
        wordpress::target().alone("wordpress, post", post),
        wiki("dokuwiki, cached", "/doku.php?id=bench:page3"),
        rendered,
        wiki("dokuwiki, parsed anew", "/doku.php?id=bench:page3&purge=true"),
        front(applications::symfony(), "symfony", "<h1>Products</h1>"),
        front(applications::laravel(), "laravel", "<h1>Products</h1>"),
        simple::openssl(),
        simple::hello(),
    ]
}

/// The targets of a name: one, a group (`micro`, `all`), or a folder of the machine with the paths that are asked for.
pub fn find(name: &str, urls: &[String]) -> Result<Vec<Target>, String> {
    let all = all();
    let found: Vec<Target> = all.iter().filter(|t| t.name == name || name == "all" || t.name.starts_with(&format!("{name}/"))).cloned().collect();
    if !found.is_empty() {
        return Ok(found);
    }
    if name.starts_with('.') || name.contains('/') {
        let folder = std::fs::canonicalize(name).map_err(|e| format!("{name}: {e}"))?;
        if folder.is_dir() {
            return Ok(vec![simple::folder(&folder, urls)]);
        }
    }
    let names: Vec<&str> = all.iter().map(|t| t.name.as_str()).collect();
    Err(format!("{name}: no such target, and no folder. There are {}, micro (all of micro/*), all", names.join(", ")))
}

/// A file of static bytes, for the calibration.
pub fn calibration() -> Target {
    simple::file()
}

/// Pages of a server that runs already.
pub fn of_url(urls: &[String]) -> Target {
    simple::url(urls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_complete() {
        for target in all().into_iter().chain(pages()) {
            assert!(!target.pages.is_empty(), "{}", target.name);
            target.normaliser().unwrap();
            for page in &target.pages {
                assert!(page.path.starts_with('/') && page.weight > 0, "{}", target.name);
                assert!(page.phrase.is_some() || page.status != 200, "{}: {} has no phrase", target.name, page.path);
            }
        }
        assert!(find("micro", &[]).unwrap().len() > 10);
        assert_eq!(find("hello", &[]).unwrap().len(), 1);
        assert!(find("goodbye", &[]).is_err());
    }
}
