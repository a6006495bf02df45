//! phpinfo(): versions, settings, extensions, environment and variables, as text on the command line and as HTML elsewhere.

use jumbo_abi::request::SAPI;
use crate::var::flush_piece;
use jumbo_abi::{Cx, KeyRef, PStr, Res, View, registry};
use jumbo_value::{HeapVec, OutOfMemory, PStrBuilder, convert};

const GENERAL: i64 = 1;
const CONFIGURATION: i64 = 4;
const MODULES: i64 = 8;
const ENVIRONMENT: i64 = 16;
const VARIABLES: i64 = 32;
const LICENSE: i64 = 64;

const STYLE: &str = "body {background-color: #fff; color: #222; font-family: sans-serif;}\n\
    pre {margin: 0; font-family: monospace;}\n\
    a {color: #222;}\n\
    table {border-collapse: collapse; width: 934px;}\n\
    .center {text-align: center;}\n\
    .center table {margin: 1em auto; text-align: left;}\n\
    td, th {border: 1px solid #666; font-size: 75%; vertical-align: baseline; padding: 4px 5px;}\n\
    .e {background-color: #ccf; width: 300px; font-weight: bold;}\n\
    .h {background-color: #99c; font-weight: bold;}\n\
    .v {background-color: #ddd; max-width: 300px; overflow-x: auto; word-wrap: break-word;}\n";

/// What is written so far.
struct Page {
    text: bool,
    out: PStrBuilder,
}

type Written = Result<(), OutOfMemory>;

fn escape(text: &[u8], out: &mut PStrBuilder) -> Written {
    for &byte in text {
        match byte {
            b'<' => out.extend(b"&lt;")?,
            b'>' => out.extend(b"&gt;")?,
            b'&' => out.extend(b"&amp;")?,
            b'"' => out.extend(b"&quot;")?,
            b'\'' => out.extend(b"&#039;")?,
            _ => out.push(byte)?,
        }
    }
    Ok(())
}

impl Page {
    fn begin(&mut self) -> Written {
        if self.text {
            return self.out.extend(b"phpinfo()\n");
        }
        self.out.extend(
            b"<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"DTD/xhtml1-transitional.dtd\">\n\
              <html xmlns=\"http://www.w3.org/1999/xhtml\"><head>\n<style type=\"text/css\">\n",
        )?;
        self.out.extend(STYLE.as_bytes())?;
        write!(self.out, "</style>\n<title>PHP {} - phpinfo()</title>", crate::info::VERSION)?;
        self.out.extend(b"<meta name=\"ROBOTS\" content=\"NOINDEX,NOFOLLOW,NOARCHIVE\" /></head>\n<body><div class=\"center\">\n")
    }

    fn end(&mut self) -> Written {
        if self.text { Ok(()) } else { self.out.extend(b"</div></body></html>") }
    }

    /// A heading: of a section (1) or of a part (2).
    fn heading(&mut self, level: u8, text: &str) -> Written {
        if self.text {
            write!(self.out, "\n{text}\n\n")
        } else {
            write!(self.out, "<h{level}>{text}</h{level}>\n")
        }
    }

    fn module(&mut self, name: &str) -> Written {
        if self.text {
            return self.heading(2, name);
        }
        let anchor = format!("module_{}", name.to_ascii_lowercase().replace(' ', "_"));
        write!(self.out, "<h2><a name=\"{anchor}\" href=\"#{anchor}\">{name}</a></h2>\n")
    }

    fn table(&mut self) -> Written {
        if self.text { Ok(()) } else { self.out.extend(b"<table>\n") }
    }

    fn table_end(&mut self) -> Written {
        self.out.extend(if self.text { b"\n" } else { b"</table>\n" })
    }

    /// A row; the first of a table may be its head.
    fn row(&mut self, cells: &[&[u8]], is_head: bool) -> Written {
        if self.text {
            for (at, cell) in cells.iter().enumerate() {
                if at > 0 {
                    self.out.extend(b" => ")?;
                }
                self.out.extend(cell)?;
            }
            return self.out.push(b'\n');
        }
        self.out.extend(if is_head { b"<tr class=\"h\">" } else { b"<tr>" })?;
        for (at, cell) in cells.iter().enumerate() {
            let (open, close): (&[u8], &[u8]) = match (is_head, at) {
                (true, _) => (b"<th>", b"</th>"),
                (false, 0) => (b"<td class=\"e\">", b" </td>"),
                (false, _) => (b"<td class=\"v\">", b" </td>"),
            };
            self.out.extend(open)?;
            escape(cell, &mut self.out)?;
            self.out.extend(close)?;
        }
        self.out.extend(b"</tr>\n")
    }
}

fn general(cx: &mut Cx, page: &mut Page) -> Res<()> {
    let system = crate::info::php_uname(cx, &jumbo_abi::PStr::new(b"a"))?;
    let api = match SAPI.get().copied().unwrap_or("cli") {
        "cli" => "Command Line Interface",
        "cgi-fcgi" => "CGI/FastCGI",
        "fpm-fcgi" => "FPM/FastCGI",
        "cli-server" => "Built-in HTTP server",
        other => other,
    };
    let loaded = cx.ini.configuration().loaded_file.as_deref().map_or_else(|| b"(none)".to_vec(), <[u8]>::to_vec);
    if page.text {
        page.row(&[b"PHP Version", crate::info::VERSION.as_bytes()], false)?;
        page.out.push(b'\n')?;
    } else {
        page.heading(1, &format!("PHP Version {}", crate::info::VERSION))?;
        page.table()?;
    }
    let rows: [(&str, &[u8]); 9] = [
        ("System", system.as_bytes()),
        ("Engine", concat!("Jumbo ", env!("CARGO_PKG_VERSION")).as_bytes()),
        ("Server API", api.as_bytes()),
        ("Virtual Directory Support", b"enabled"),
        ("Loaded Configuration File", &loaded),
        ("Debug Build", b"no"),
        ("Thread Safety", b"disabled"),
        ("Zend Multibyte Support", b"disabled"),
        ("IPv6 Support", b"enabled"),
    ];
    for (name, value) in rows {
        page.row(&[name.as_bytes(), value], false)?;
    }
    page.table_end()?;
    Ok(())
}

/// The settings of one extension.
fn settings(cx: &Cx, page: &mut Page, extension: &str) -> Written {
    let mut rows = HeapVec::new();
    fn shown(value: Option<&[u8]>) -> &[u8] {
        value.filter(|value| !value.is_empty()).unwrap_or(b"no value")
    }
    for (name, entry) in cx.ini.iter().filter(|(_, entry)| entry.extension == extension) {
        let local = entry.value.as_deref();
        let master = entry.original.as_ref().map_or(local, |original| original.as_deref());
        rows.push((name, shown(local), shown(master)))?;
    }
    if rows.is_empty() {
        return Ok(());
    }
    rows.sort_unstable();
    page.table()?;
    page.row(&[b"Directive", b"Local Value", b"Master Value"], true)?;
    for (name, local, master) in &rows {
        page.row(&[name, local, master], false)?;
    }
    page.table_end()?;
    Ok(())
}

/// The names of the extensions, each once.
fn extensions() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = registry::get().extensions.iter().map(|extension| extension.name).collect();
    names.sort_by_key(|name| name.to_ascii_lowercase());
    names.dedup();
    names
}

fn modules(cx: &mut Cx, page: &mut Page, with_settings: bool) -> Res<()> {
    for name in extensions() {
        page.module(name)?;
        let tables: Vec<_> = registry::get().extensions.iter().filter(|e| e.name == name).filter_map(|e| e.info).collect();
        page.table()?;
        let mut rows = 0;
        for info in tables {
            for (label, value) in info(cx) {
                page.row(&[label.as_bytes(), value.as_bytes()], false)?;
                rows += 1;
            }
        }
        if rows == 0 {
            page.row(&[format!("{name} support").as_bytes(), b"enabled"], false)?;
        }
        page.table_end()?;
        if with_settings {
            settings(cx, page, name)?;
        }
    }
    Ok(())
}

fn environment(cx: &mut Cx, page: &mut Page) -> Res<()> {
    page.heading(2, "Environment")?;
    page.table()?;
    page.row(&[b"Variable", b"Value"], true)?;
    let all: Vec<_> = crate::settings::environment(cx).map(|(name, value)| (PStr::new(name), PStr::new(value))).collect();
    for (name, value) in all {
        page.row(&[&name, &value], false)?;
        flush_piece(cx, &mut page.out)?;
    }
    page.table_end()?;
    Ok(())
}

fn variables(cx: &mut Cx, page: &mut Page) -> Res<()> {
    page.heading(2, "PHP Variables")?;
    page.table()?;
    page.row(&[b"Variable", b"Value"], true)?;
    for global in ["_REQUEST", "_GET", "_POST", "_FILES", "_COOKIE", "_SERVER", "_ENV"] {
        let Some(table) = cx.engine().global(cx, global.as_bytes()) else { continue };
        let View::Array(table) = table.view_deref() else { continue };
        for (key, value) in table.clone().entries() {
            let key = match key.as_ref() {
                KeyRef::Str(name) => name.clone(),
                KeyRef::Int(n) => PStr::new(convert::write_int(&mut [0; 20], n)),
            };
            let name = PStr::concat(&[b"$", global.as_bytes(), b"['", &key, b"']"]);
            let value = value.into_deref();
            let text = match value.view() {
                View::Array(_) | View::Object(_) => {
                    let shown = crate::var::print_r(cx, &value, true)?;
                    cx.to_string(&shown)?
                }
                _ => cx.to_string(&value)?,
            };
            page.row(&[&name, text.as_bytes()], false)?;
            flush_piece(cx, &mut page.out)?;
        }
    }
    page.table_end()?;
    Ok(())
}

fn license(page: &mut Page) -> Written {
    page.heading(2, "Jumbo License")?;
    let text = "This program is free software; you can use it under the terms of the MIT License\n\
        or of the Apache License, Version 2.0, whichever you prefer. It comes without any warranty.\n";
    if page.text {
        page.out.extend(text.as_bytes())?;
    } else {
        write!(page.out, "<p>{text}</p>\n")?;
    }
    Ok(())
}

const CREDITS_FULLPAGE: i64 = 32;

/// Who made the language and who made this engine. The parts of stock's page are about stock's own code.
pub fn phpcredits(cx: &mut Cx, flags: i64) -> Res<bool> {
    let text = SAPI.get().is_none_or(|sapi| *sapi == "cli");
    let mut page = Page { text, out: PStrBuilder::new() };
    let whole = !text && flags & CREDITS_FULLPAGE != 0;
    if whole {
        page.begin()?;
    }
    page.heading(1, "PHP Credits")?;
    page.table()?;
    page.row(&[b"The language, its library and its documentation", b"the PHP Group and the contributors of the PHP project, https://www.php.net/credits.php"], false)?;
    page.row(&[b"This engine", b"the contributors of Jumbo"], false)?;
    page.table_end()?;
    if whole {
        page.end()?;
    }
    cx.write(&page.out)?;
    Ok(true)
}

pub fn phpinfo(cx: &mut Cx, flags: i64) -> Res<bool> {
    let text = SAPI.get().is_none_or(|sapi| *sapi == "cli");
    let mut page = Page { text, out: PStrBuilder::new() };
    page.begin()?;
    if flags & GENERAL != 0 {
        general(cx, &mut page)?;
    }
    if flags & MODULES != 0 {
        modules(cx, &mut page, flags & CONFIGURATION != 0)?;
    } else if flags & CONFIGURATION != 0 {
        page.heading(1, "Configuration")?;
        for name in extensions() {
            settings(cx, &mut page, name)?;
        }
    }
    if flags & ENVIRONMENT != 0 {
        environment(cx, &mut page)?;
    }
    if flags & VARIABLES != 0 {
        variables(cx, &mut page)?;
    }
    if flags & LICENSE != 0 {
        license(&mut page)?;
    }
    page.end()?;
    cx.write(&page.out)?;
    Ok(true)
}
