//! Targets of one file or none: hello, info, openssl, a folder of one's own, a server that runs already.

use super::{Page, Source, Target};
use std::path::Path;

fn file_of(name: &str, text: &str) -> Source {
    Source::Files(vec![(name.to_owned(), text.to_owned())])
}

/// The cost of a request that does nothing.
pub fn hello() -> Target {
    let source = file_of("hello.php", include_str!("../../targets/hello.php"));
    Target::new("hello", "one line: what a request costs", source, vec![Page::new("/hello.php", 1, "Hello, World!").bytes(14, 14)])
}

/// Tables, escaping and formatting, as phpinfo() has them.
pub fn info() -> Target {
    let source = file_of("info.php", include_str!("../../targets/info.php"));
    let pages = vec![Page::new("/info.php?a=1&b=%3Ctwo%3E", 1, "<h1>PHP 8.4</h1>").bytes(10_000, 40_000)];
    Target::new("info", "an info page: tables, escaping, formatting, sorting", source, pages)
}

/// CPU alone, for the grid of workers and cores.
pub fn openssl() -> Target {
    let source = file_of("openssl.php", include_str!("../../targets/openssl.php"));
    let pages = vec![Page::new("/openssl.php", 1, "50000 rounds").bytes(20, 200)];
    Target::new("openssl", "50,000 rounds of encryption and decryption", source, pages)
}

/// What nginx sends from a file.
pub fn file() -> Target {
    let text = "static ".repeat(146);
    Target::new("static", "a file of 1 KB", file_of("file.txt", &text), vec![Page::new("/file.txt", 1, "static").bytes(1022, 1022)])
}

/// A folder of one's own. Answers must be equal between engines as they are, and have status 200.
pub fn folder(folder: &Path, urls: &[String]) -> Target {
    let name = format!("./{}", folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default());
    // What a site may well use: all extensions that the engines have in common.
    Target::new(&name, &folder.display().to_string(), Source::Folder(folder.to_path_buf()), pages(urls)).requires(&[])
}

/// Pages of a server that runs already.
pub fn url(urls: &[String]) -> Target {
    Target::new("url", "pages of a running server", Source::Elsewhere, pages(urls))
}

/// `PATH` or `PATH*WEIGHT`.
fn pages(urls: &[String]) -> Vec<Page> {
    let page = |text: &str| {
        let (path, weight) = match text.rsplit_once('*') {
            Some((path, weight)) if weight.parse::<u32>().is_ok_and(|w| w > 0) => (path, weight.parse().unwrap_or(1)),
            _ => (text, 1),
        };
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        Page { path, weight, status: 200, phrase: None, body_bytes: (0, usize::MAX) }
    };
    if urls.is_empty() { vec![page("/")] } else { urls.iter().map(|u| page(u)).collect() }
}
