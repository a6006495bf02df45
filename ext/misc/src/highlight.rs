//! PHP source as coloured HTML, and without comments and white space.

use jumbo_abi::stream::{self, OpenOptions, StreamHandle};
use jumbo_abi::{Cx, PStr, Res, Value};
use jumbo_value::{OutOfMemory, PStrBuilder};
use jumbo_syntax::{Show, TokenKind, tokenize};

struct Colors {
    comment: PStr,
    default: PStr,
    html: PStr,
    keyword: PStr,
    string: PStr,
}

fn html(cx: &Cx, source: &[u8]) -> Result<PStr, OutOfMemory> {
    let color = |name| PStr::new(cx.ini.str(name));
    let colors = Colors {
        comment: color("highlight.comment"),
        default: color("highlight.default"),
        html: color("highlight.html"),
        keyword: color("highlight.keyword"),
        string: color("highlight.string"),
    };
    let mut out = PStrBuilder::with_capacity(source.len())?;
    out.extend(b"<pre><code style=\"color: ")?;
    out.extend(&colors.html)?;
    out.extend(b"\">")?;
    let mut last: &[u8] = &colors.html;
    for token in tokenize(source, cx.ini.bool("short_open_tag")) {
        let text = source.get(token.span.start as usize..token.span.end as usize).unwrap_or_default();
        let next: &[u8] = match token.kind {
            TokenKind::Whitespace => {
                escape(&mut out, text)?;
                continue;
            }
            TokenKind::InlineHtml => &colors.html,
            TokenKind::Comment | TokenKind::DocComment => &colors.comment,
            TokenKind::Encapsed | TokenKind::ConstString => &colors.string,
            _ if text == b"\"" => &colors.string,
            TokenKind::OpenTag
            | TokenKind::OpenTagWithEcho
            | TokenKind::CloseTag
            | TokenKind::MagicLine
            | TokenKind::MagicFile
            | TokenKind::MagicDir
            | TokenKind::MagicTrait
            | TokenKind::MagicMethod
            | TokenKind::MagicFunction
            | TokenKind::MagicNamespace
            | TokenKind::MagicClass
            | TokenKind::MagicProperty => &colors.default,
            TokenKind::StartHeredoc | TokenKind::EndHeredoc => &colors.keyword,
            kind if kind.show() == Show::Value => &colors.default,
            _ => &colors.keyword,
        };
        if next != last {
            if last != &*colors.html {
                out.extend(b"</span>")?;
            }
            last = next;
            if last != &*colors.html {
                out.extend(b"<span style=\"color: ")?;
                out.extend(last)?;
                out.extend(b"\">")?;
            }
        }
        escape(&mut out, text)?;
    }
    if last != &*colors.html {
        out.extend(b"</span>")?;
    }
    out.extend(b"</code></pre>")?;
    Ok(out.finish())
}

fn escape(out: &mut PStrBuilder, text: &[u8]) -> Result<(), OutOfMemory> {
    for &b in text {
        match b {
            b'<' => out.extend(b"&lt;")?,
            b'>' => out.extend(b"&gt;")?,
            b'&' => out.extend(b"&amp;")?,
            b'\t' => out.extend(b"    ")?,
            _ => out.push(b)?,
        }
    }
    Ok(())
}

fn give(cx: &mut Cx, text: PStr, as_string: bool) -> Res<Value> {
    if as_string {
        return Ok(Value::from(text));
    }
    cx.write(&text)?;
    Ok(Value::from(true))
}

pub fn highlight_string(cx: &mut Cx, string: &PStr, as_string: bool) -> Res<Value> {
    // Stock PHP works with a buffer here, so an output handler may not call it.
    cx.check_no_callback()?;
    let text = html(cx, string.as_bytes())?;
    give(cx, text, as_string)
}

/// The whole of a file, or None after a warning.
fn content(cx: &mut Cx, filename: &PStr) -> Res<Option<PStr>> {
    let options = OpenOptions { use_include_path: true, ..OpenOptions::default() };
    let Some(resource) = stream::open(cx, filename.as_bytes(), b"rb", &options)? else { return Ok(None) };
    let Some(handle) = resource.native::<StreamHandle>() else { return Ok(None) };
    let text = handle.read_all(cx, None)?.unwrap_or_else(PStr::empty);
    handle.close(cx)?;
    drop(handle);
    resource.close();
    Ok(Some(text))
}

pub fn highlight_file(cx: &mut Cx, filename: &PStr, as_string: bool) -> Res<Value> {
    // Stock PHP works with a buffer here, so an output handler may not call it.
    stream::path_argument(cx, filename.as_bytes(), 1)?;
    cx.check_no_callback()?;
    if !stream::allowed(cx, filename.as_bytes(), false)? {
        return Ok(Value::from(false));
    }
    match content(cx, filename)? {
        Some(source) => {
            let text = html(cx, source.as_bytes())?;
            give(cx, text, as_string)
        }
        None => {
            let text = [b"Failed opening '".as_slice(), filename.as_bytes(), b"' for highlighting"];
            cx.warning(text)?;
            Ok(Value::from(false))
        }
    }
}

pub fn php_strip_whitespace(cx: &mut Cx, filename: &PStr) -> Res<PStr> {
    // Stock PHP works with a buffer here, so an output handler may not call it.
    stream::path_argument(cx, filename.as_bytes(), 1)?;
    cx.check_no_callback()?;
    let Some(source) = content(cx, filename)? else { return Ok(PStr::empty()) };
    let short_tags = cx.ini.bool("short_open_tag");
    Ok(stripped(source.as_bytes(), short_tags)?)
}

fn stripped(source: &[u8], short_tags: bool) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(source.len())?;
    let mut after_space = false;
    let mut tokens = tokenize(source, short_tags).into_iter().peekable();
    while let Some(token) = tokens.next() {
        let text = source.get(token.span.start as usize..token.span.end as usize).unwrap_or_default();
        match token.kind {
            TokenKind::Comment | TokenKind::DocComment => {}
            TokenKind::Whitespace => {
                if !after_space {
                    out.push(b' ')?;
                }
                after_space = true;
            }
            // What follows the end of a heredoc stays, and the line ends there.
            TokenKind::EndHeredoc => {
                out.extend(text)?;
                if let Some(next) = tokens.next_if(|t| t.kind != TokenKind::Whitespace) {
                    out.extend(source.get(next.span.start as usize..next.span.end as usize).unwrap_or_default())?;
                } else {
                    tokens.next();
                }
                out.push(b'\n')?;
                after_space = true;
            }
            _ => {
                out.extend(text)?;
                after_space = false;
            }
        }
    }
    Ok(out.finish())
}
