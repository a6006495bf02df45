//! output_add_rewrite_var(): names and values that links and forms of the output carry on; sessions add their id so, too.
//!
//! Two lists of variables pass the output independently, each as an output buffer of its own: that of the function, and that of the session
//! (`session.use_trans_sid`). What is rewritten say the settings: attributes of tags (`a=href`) that hold addresses, and forms (`form=`),
//! which get hidden fields. Addresses of other hosts are left alone.

use jumbo_abi::output::{Handler, ob};
use jumbo_abi::{Cx, PStr, Res, Value};
use jumbo_ext_strings::pure::url::{Url, parse_url, raw_url_encode};

/// Whose variables they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    Output,
    Session,
}

/// Variables in the order in which they were added.
#[derive(Default)]
struct Variables {
    pairs: Vec<(Vec<u8>, Vec<u8>)>,
    /// Its output buffer has been opened.
    active: bool,
}

#[derive(Default)]
struct Lists {
    output: Variables,
    session: Variables,
}

impl List {
    fn of(self, cx: &mut Cx) -> &mut Variables {
        let lists = cx.state::<Lists>();
        match self {
            List::Output => &mut lists.output,
            List::Session => &mut lists.session,
        }
    }
    fn setting(self, what: &str) -> String {
        match self {
            List::Output => format!("url_rewriter.{what}"),
            List::Session => format!("session.trans_sid_{what}"),
        }
    }
    fn handler(self) -> Handler {
        const NAME: &str = "URL-Rewriter";
        match self {
            List::Output => Handler::Native(NAME, |cx, data, _| rewritten(cx, List::Output, data)),
            List::Session => Handler::Native(NAME, |cx, data, _| rewritten(cx, List::Session, data)),
        }
    }
}

/// Adds a variable; one that is there already is carried on twice.
pub fn add(cx: &mut Cx, list: List, name: &[u8], value: &[u8]) -> Res<()> {
    let variables = list.of(cx);
    variables.pairs.push((name.to_vec(), value.to_vec()));
    if !std::mem::replace(&mut variables.active, true) {
        cx.start_buffer(Some(list.handler()), 0, ob::STDFLAGS)?;
    }
    Ok(())
}

/// Takes a variable away.
pub fn remove(cx: &mut Cx, list: List, name: &[u8]) {
    list.of(cx).pairs.retain(|(n, _)| n != name);
}

pub fn output_add_rewrite_var(cx: &mut Cx, name: &PStr, value: &PStr) -> Res<bool> {
    add(cx, List::Output, name.as_bytes(), value.as_bytes())?;
    Ok(true)
}

pub fn output_reset_rewrite_vars(cx: &mut Cx) -> bool {
    List::Output.of(cx).pairs.clear();
    true
}

/// What one pass needs to know.
struct Rewriter {
    /// Tag and attribute, in lower case; the attribute is empty for forms.
    tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// In lower case.
    hosts: Vec<Vec<u8>>,
    /// The variables as a part of an address, and as fields.
    query: Vec<u8>,
    fields: Vec<u8>,
    separator: Vec<u8>,
}

fn escaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            b'\'' => out.extend_from_slice(b"&#039;"),
            byte => out.push(byte),
        }
    }
    out
}

/// The host of this request without its port, when no setting names hosts.
fn own_host(cx: &mut Cx) -> Option<Vec<u8>> {
    let server = cx.engine().global(cx, b"_SERVER")?;
    let host = server.deref().as_array()?.get_bytes(b"HTTP_HOST").map(Value::copy_deref)?;
    let host = host.as_bytes()?;
    let end = host.iter().position(|b| *b == b':').unwrap_or(host.len());
    Some(host[..end].to_ascii_lowercase())
}

/// The output with the variables in its links and forms. None: nothing to do.
fn rewritten(cx: &mut Cx, list: List, data: &[u8]) -> Res<Option<PStr>> {
    let pairs = list.of(cx).pairs.clone();
    if pairs.is_empty() || data.is_empty() {
        return Ok(None);
    }
    let separator = cx.ini.str("arg_separator.output").to_vec();
    let (mut query, mut fields) = (Vec::new(), Vec::new());
    for (name, value) in &pairs {
        if !query.is_empty() {
            query.extend_from_slice(&separator);
        }
        raw_url_encode(name, &mut query);
        query.push(b'=');
        raw_url_encode(value, &mut query);
        fields.extend_from_slice(&[b"<input type=\"hidden\" name=\"".as_slice(), &escaped(name), b"\" value=\"", &escaped(value), b"\" />"].concat());
    }
    let tags = cx.ini.str(&list.setting("tags")).to_ascii_lowercase();
    let tags = tags.split(|b| *b == b',').filter_map(|entry| {
        let at = entry.iter().position(|b| *b == b'=')?;
        Some((entry[..at].trim_ascii().to_vec(), entry[at + 1..].trim_ascii().to_vec()))
    });
    let tags = tags.collect();
    let hosts = cx.ini.str(&list.setting("hosts")).to_ascii_lowercase();
    let mut hosts: Vec<Vec<u8>> = hosts.split(|b| *b == b',').map(|h| h.trim_ascii().to_vec()).filter(|h| !h.is_empty()).collect();
    if hosts.is_empty() {
        hosts.extend(own_host(cx));
    }
    Ok(Some(PStr::new(&Rewriter { tags, hosts, query, fields, separator }.page(data))))
}

impl Rewriter {
    fn page(&self, data: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(data.len() + data.len() / 8);
        let mut rest = data;
        while let Some(at) = memchr::memchr(b'<', rest) {
            let (before, tag) = rest.split_at(at);
            out.extend_from_slice(before);
            let used = self.tag(tag, &mut out);
            rest = &tag[used..];
        }
        out.extend_from_slice(rest);
        out
    }

    /// Copies the tag that starts here, rewritten; gives its length (1 when nothing of interest stands here).
    fn tag(&self, text: &[u8], out: &mut Vec<u8>) -> usize {
        let len = text[1..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let name = text[1..1 + len].to_ascii_lowercase();
        let Some((_, wanted)) = self.tags.iter().find(|(tag, _)| *tag == name).filter(|_| len > 0) else {
            out.push(b'<');
            return 1;
        };
        let is_form = name == b"form";
        let mut fields = is_form;
        let mut made = text[..=len].to_vec();
        let mut at = len + 1;
        loop {
            let Some(&byte) = text.get(at) else {
                // No whole tag: as it is.
                out.push(b'<');
                return 1;
            };
            if byte == b'>' {
                made.push(b'>');
                if fields {
                    made.extend_from_slice(&self.fields);
                }
                out.extend_from_slice(&made);
                return at + 1;
            }
            if !(byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':')) {
                made.push(byte);
                at += 1;
                continue;
            }
            let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'-' | b'.');
            let end = at + text[at..].iter().take_while(|b| is_name(b)).count();
            let attribute = text[at..end].to_ascii_lowercase();
            made.extend_from_slice(&text[at..end]);
            at = end;
            let blank = |at: usize| text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            let equals = at + blank(at);
            if text.get(equals) != Some(&b'=') {
                continue;
            }
            let start = equals + 1 + blank(equals + 1);
            made.extend_from_slice(&text[at..start]);
            let quote = text.get(start).copied().filter(|b| matches!(b, b'"' | b'\''));
            let (from, to) = match quote {
                Some(quote) => match memchr::memchr(quote, &text[start + 1..]) {
                    Some(len) => (start + 1, start + 1 + len),
                    None => {
                        out.push(b'<');
                        return 1;
                    }
                },
                None => (start, start + text[start..].iter().take_while(|b| !b.is_ascii_whitespace() && **b != b'>').count()),
            };
            let value = &text[from..to];
            made.extend(quote);
            if !is_form && attribute == *wanted {
                made.extend_from_slice(&self.address(value));
            } else {
                made.extend_from_slice(value);
            }
            made.extend(quote);
            if is_form && attribute == b"action" {
                fields &= parse_url(value).is_some_and(|url| self.is_ours(&url));
            }
            at = to + usize::from(quote.is_some());
        }
    }

    /// An address of this site, or of one of those that are named.
    fn is_ours(&self, url: &Url) -> bool {
        if url.scheme.as_ref().is_some_and(|s| !s.eq_ignore_ascii_case(b"http") && !s.eq_ignore_ascii_case(b"https")) {
            return false;
        }
        match &url.host {
            Some(host) => self.hosts.contains(&host.to_ascii_lowercase()),
            None => true,
        }
    }

    fn address(&self, text: &[u8]) -> Vec<u8> {
        if text.is_empty() {
            return [b"?".as_slice(), &self.query].concat();
        }
        let Some(url) = parse_url(text) else { return text.to_vec() };
        if text.first() == Some(&b'#') || !self.is_ours(&url) {
            return text.to_vec();
        }
        if url.path.is_none() && url.query.is_none() && url.fragment.is_none() {
            return [text, b"/?", &self.query].concat();
        }
        // The variables come behind the query and before the fragment.
        let end = if url.fragment.is_some() { memchr::memchr(b'#', text).unwrap_or(text.len()) } else { text.len() };
        let (head, fragment) = text.split_at(end);
        let joint: &[u8] = if url.query.is_some() { &self.separator } else { b"?" };
        [head, joint, &self.query, fragment].concat()
    }
}
