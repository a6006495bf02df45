//! PHP source as coloured HTML, and without comments and white space.

use jumbo_abi::stream::{self, OpenOptions, StreamHandle};
use jumbo_abi::{Cx, PStr, Res, Value};
use jumbo_syntax::{Show, TokenKind, tokenize};

struct Colors {
    comment: Vec<u8>,
    default: Vec<u8>,
    html: Vec<u8>,
    keyword: Vec<u8>,
    string: Vec<u8>,
}

fn html(cx: &Cx, source: &[u8]) -> Vec<u8> {
    let color = |name| cx.ini.str(name).to_vec();
    let colors = Colors {
        comment: color("highlight.comment"),
        default: color("highlight.default"),
        html: color("highlight.html"),
        keyword: color("highlight.keyword"),
        string: color("highlight.string"),
    };
    let mut out = [b"<pre><code style=\"color: ".as_slice(), &colors.html, b"\">"].concat();
    let mut last: &[u8] = &colors.html;
    for token in tokenize(source, cx.ini.bool("short_open_tag")) {
        let text = source.get(token.span.start as usize..token.span.end as usize).unwrap_or_default();
        let next: &[u8] = match token.kind {
            TokenKind::Whitespace => {
                escape(&mut out, text);
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
            if last != colors.html {
                out.extend_from_slice(b"</span>");
            }
            last = next;
            if last != colors.html {
                out.extend_from_slice(&[b"<span style=\"color: ".as_slice(), last, b"\">"].concat());
            }
        }
        escape(&mut out, text);
    }
    if last != colors.html {
        out.extend_from_slice(b"</span>");
    }
    out.extend_from_slice(b"</code></pre>");
    out
}

fn escape(out: &mut Vec<u8>, text: &[u8]) {
    for &b in text {
        match b {
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'&' => out.extend_from_slice(b"&amp;"),
            b'\t' => out.extend_from_slice(b"    "),
            _ => out.push(b),
        }
    }
}

fn give(cx: &mut Cx, text: &[u8], as_string: bool) -> Res<Value> {
    if as_string {
        return Ok(Value::from(PStr::new(text)));
    }
    cx.write(text)?;
    Ok(Value::from(true))
}

pub fn highlight_string(cx: &mut Cx, string: &PStr, as_string: bool) -> Res<Value> {
    // Stock PHP works with a buffer here, so an output handler may not call it.
    cx.check_no_callback()?;
    let text = html(cx, string.as_bytes());
    give(cx, &text, as_string)
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
            let text = html(cx, source.as_bytes());
            give(cx, &text, as_string)
        }
        None => {
            let text = [b"Failed opening '".as_slice(), filename.as_bytes(), b"' for highlighting"].concat();
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
    Ok(PStr::new(&stripped(source.as_bytes(), short_tags)))
}

fn stripped(source: &[u8], short_tags: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len());
    let mut after_space = false;
    let mut tokens = tokenize(source, short_tags).into_iter().peekable();
    while let Some(token) = tokens.next() {
        let text = source.get(token.span.start as usize..token.span.end as usize).unwrap_or_default();
        match token.kind {
            TokenKind::Comment | TokenKind::DocComment => {}
            TokenKind::Whitespace => {
                if !after_space {
                    out.push(b' ');
                }
                after_space = true;
            }
            // What follows the end of a heredoc stays, and the line ends there.
            TokenKind::EndHeredoc => {
                out.extend_from_slice(text);
                if let Some(next) = tokens.next_if(|t| t.kind != TokenKind::Whitespace) {
                    out.extend_from_slice(source.get(next.span.start as usize..next.span.end as usize).unwrap_or_default());
                } else {
                    tokens.next();
                }
                out.push(b'\n');
                after_space = true;
            }
            _ => {
                out.extend_from_slice(text);
                after_space = false;
            }
        }
    }
    out
}
