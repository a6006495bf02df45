//! output_add_rewrite_var(): names and values that links and forms of the output carry on; sessions add their id so, too.
//!
//! Two lists of variables pass the output independently, each as an output buffer of its own: that of the function, and that of the session
//! (`session.use_trans_sid`). What is rewritten say the settings: attributes of tags (`a=href`) that hold addresses, and forms (`form=`),
//! which get hidden fields. Addresses of other hosts are left alone.

use jumbo_abi::output::{Handler, ob};
use jumbo_abi::{Cx, PStr, Res, Value, Work};
use jumbo_value::{OutOfMemory, PStrBuilder};
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
    pairs: Vec<(PStr, PStr)>,
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
    /// The settings of tags and of hosts.
    fn settings(self) -> (&'static str, &'static str) {
        match self {
            List::Output => ("url_rewriter.tags", "url_rewriter.hosts"),
            List::Session => ("session.trans_sid_tags", "session.trans_sid_hosts"),
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
    variables.pairs.push((PStr::new(name), PStr::new(value)));
    if !std::mem::replace(&mut variables.active, true) {
        cx.start_buffer(Some(list.handler()), 0, ob::STDFLAGS)?;
    }
    Ok(())
}

/// Takes a variable away.
pub fn remove(cx: &mut Cx, list: List, name: &[u8]) {
    list.of(cx).pairs.retain(|(n, _)| n.as_bytes() != name);
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
    /// Tags and attributes, as the setting lists them: `tag=attribute,…`; the attribute is empty for forms.
    tags: PStr,
    /// As the setting lists them, with commas.
    hosts: PStr,
    /// The variables as a part of an address, and as fields.
    query: PStr,
    fields: PStr,
    separator: PStr,
}

fn escape(text: &[u8], out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
    for &byte in text {
        match byte {
            b'&' => out.extend(b"&amp;")?,
            b'<' => out.extend(b"&lt;")?,
            b'>' => out.extend(b"&gt;")?,
            b'"' => out.extend(b"&quot;")?,
            b'\'' => out.extend(b"&#039;")?,
            byte => out.push(byte)?,
        }
    }
    Ok(())
}

/// The host of this request without its port, when no setting names hosts.
fn own_host(cx: &mut Cx) -> Option<PStr> {
    let server = cx.engine().global(cx, b"_SERVER")?;
    let host = server.deref().as_array()?.get_bytes(b"HTTP_HOST").map(Value::copy_deref)?;
    let host = host.as_bytes()?;
    let end = host.iter().position(|b| *b == b':').unwrap_or(host.len());
    Some(PStr::new(&host[..end]))
}

/// The output with the variables in its links and forms. None: nothing to do.
fn rewritten(cx: &mut Cx, list: List, data: &[u8]) -> Res<Option<PStr>> {
    let pairs = list.of(cx).pairs.clone();
    if pairs.is_empty() || data.is_empty() {
        return Ok(None);
    }
    let separator = PStr::new(cx.ini.str("arg_separator.output"));
    let (mut query, mut fields) = (PStrBuilder::new(), PStrBuilder::new());
    for (name, value) in &pairs {
        if !query.is_empty() {
            query.extend(&separator)?;
        }
        raw_url_encode(name, &mut query)?;
        query.push(b'=')?;
        raw_url_encode(value, &mut query)?;
        fields.extend(b"<input type=\"hidden\" name=\"")?;
        escape(name, &mut fields)?;
        fields.extend(b"\" value=\"")?;
        escape(value, &mut fields)?;
        fields.extend(b"\" />")?;
    }
    let (tags, hosts) = list.settings();
    let tags = PStr::new(cx.ini.str(tags));
    let mut hosts = PStr::new(cx.ini.str(hosts));
    if hosts.split(|b| *b == b',').all(|host| host.trim_ascii().is_empty()) {
        hosts = own_host(cx).unwrap_or_default();
    }
    let (query, fields) = (query.finish(), fields.finish());
    Ok(Some(Rewriter { tags, hosts, query, fields, separator }.page(&mut Work::new(cx), data)?))
}

impl Rewriter {
    fn page(&self, work: &mut Work, data: &[u8]) -> Res<PStr> {
        let mut out = PStrBuilder::with_capacity(data.len() + data.len() / 8)?;
        let mut rest = data;
        while let Some(at) = memchr::memchr(b'<', rest) {
            let (before, tag) = rest.split_at(at);
            out.extend(before)?;
            let mut read = 0;
            let used = self.tag(tag, &mut out, &mut read)?;
            // A tag without an end is read to the end of the text, and again from the next one on.
            work.spend(before.len() + read + self.tags.len())?;
            rest = &tag[used..];
        }
        out.extend(rest)?;
        Ok(out.finish())
    }

    /// The attribute of a tag that is rewritten.
    fn attribute_of(&self, tag: &[u8]) -> Option<&[u8]> {
        self.tags.split(|b| *b == b',').find_map(|entry| {
            let at = memchr::memchr(b'=', entry)?;
            entry[..at].trim_ascii().eq_ignore_ascii_case(tag).then(|| entry[at + 1..].trim_ascii())
        })
    }

    /// Copies the tag that starts here, rewritten; gives its length (1 when nothing of interest stands here). `read`: what was looked at.
    fn tag(&self, text: &[u8], out: &mut PStrBuilder, read: &mut usize) -> Result<usize, OutOfMemory> {
        let len = text[1..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let name = &text[1..1 + len];
        let Some(wanted) = (if len > 0 { self.attribute_of(name) } else { None }) else {
            out.push(b'<')?;
            return Ok(1);
        };
        let is_form = name.eq_ignore_ascii_case(b"form");
        let mut fields = is_form;
        let mut made = PStrBuilder::new();
        made.extend(&text[..=len])?;
        let mut at = len + 1;
        loop {
            *read = at;
            let Some(&byte) = text.get(at) else {
                // No whole tag: as it is.
                out.push(b'<')?;
                return Ok(1);
            };
            if byte == b'>' {
                made.push(b'>')?;
                if fields {
                    made.extend(&self.fields)?;
                }
                out.extend(&made)?;
                return Ok(at + 1);
            }
            if !(byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':')) {
                made.push(byte)?;
                at += 1;
                continue;
            }
            let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'-' | b'.');
            let end = at + text[at..].iter().take_while(|b| is_name(b)).count();
            let attribute = &text[at..end];
            made.extend(&text[at..end])?;
            at = end;
            let blank = |at: usize| text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            let equals = at + blank(at);
            if text.get(equals) != Some(&b'=') {
                continue;
            }
            let start = equals + 1 + blank(equals + 1);
            made.extend(&text[at..start])?;
            let quote = text.get(start).copied().filter(|b| matches!(b, b'"' | b'\''));
            let (from, to) = match quote {
                Some(quote) => match memchr::memchr(quote, &text[start + 1..]) {
                    Some(len) => (start + 1, start + 1 + len),
                    None => {
                        *read = text.len();
                        out.push(b'<')?;
                        return Ok(1);
                    }
                },
                None => (start, start + text[start..].iter().take_while(|b| !b.is_ascii_whitespace() && **b != b'>').count()),
            };
            let value = &text[from..to];
            made.extend(quote.as_slice())?;
            if !is_form && attribute.eq_ignore_ascii_case(wanted) {
                self.address(value, &mut made)?;
            } else {
                made.extend(value)?;
            }
            made.extend(quote.as_slice())?;
            if is_form && attribute.eq_ignore_ascii_case(b"action") {
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
            Some(host) => self.hosts.split(|b| *b == b',').any(|ours| !ours.trim_ascii().is_empty() && ours.trim_ascii().eq_ignore_ascii_case(host)),
            None => true,
        }
    }

    /// Writes an address, with the variables when it is one of ours.
    fn address(&self, text: &[u8], out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        let url = parse_url(text);
        let (end, joint): (usize, &[u8]) = match &url {
            _ if text.is_empty() => (0, b"?"),
            Some(url) if text[0] != b'#' && self.is_ours(url) => {
                let end = match url.fragment {
                    // The variables come behind the query and before the fragment.
                    Some(_) => memchr::memchr(b'#', text).unwrap_or(text.len()),
                    None => text.len(),
                };
                match url.query {
                    None if url.path.is_none() && url.fragment.is_none() => (end, b"/?"),
                    None => (end, b"?"),
                    Some(_) => (end, &self.separator),
                }
            }
            _ => return out.extend(text),
        };
        let (head, fragment) = text.split_at(end);
        for part in [head, joint, &self.query, fragment] {
            out.extend(part)?;
        }
        Ok(())
    }
}
