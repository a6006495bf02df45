//! get_browser: what a file of patterns (the setting `browscap`) says about a user agent.
//!
//! The pattern with the most characters that are no wildcards wins; what an entry does not say its parent does. A file is read once
//! a process, when it is first asked for.

use jumbo_abi::{Cx, PArray, PStr, Res, Value, View, Work};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

struct Entry {
    pattern: Vec<u8>,
    lower: Vec<u8>,
    /// Characters that are no wildcards.
    literal: usize,
    /// Names in lower case.
    properties: Vec<(Vec<u8>, Vec<u8>)>,
}

struct Browscap {
    entries: Vec<Entry>,
    /// By pattern in lower case.
    by_name: HashMap<Vec<u8>, usize>,
}

static FILES: LazyLock<Mutex<HashMap<Vec<u8>, Arc<Browscap>>>> = LazyLock::new(|| Mutex::new(HashMap::new()));

/// A value as PHP's ini files have it: words for true and false, and quotes.
fn value_of(text: &[u8]) -> Vec<u8> {
    let text = text.trim_ascii();
    if let Some(inner) = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")) {
        return inner.to_vec();
    }
    let text = text.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    match text.to_ascii_lowercase().as_slice() {
        b"true" | b"on" | b"yes" => b"1".to_vec(),
        b"false" | b"off" | b"no" | b"none" => Vec::new(),
        _ => text.to_vec(),
    }
}

fn parse(text: &[u8]) -> Browscap {
    let mut found = Browscap { entries: Vec::new(), by_name: HashMap::new() };
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        if line.is_empty() || line[0] == b';' {
            continue;
        }
        if let Some(name) = line.strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]")) {
            let lower = name.to_ascii_lowercase();
            let literal = name.iter().filter(|byte| !matches!(byte, b'?' | b'*')).count();
            found.by_name.insert(lower.clone(), found.entries.len());
            found.entries.push(Entry { pattern: name.to_vec(), lower, literal, properties: Vec::new() });
        } else if let (Some(equals), Some(entry)) = (line.iter().position(|byte| *byte == b'='), found.entries.last_mut()) {
            let name = line[..equals].trim_ascii().to_ascii_lowercase();
            entry.properties.push((name, value_of(&line[equals + 1..])));
        }
    }
    found
}

fn file(path: &[u8]) -> Option<Arc<Browscap>> {
    use std::os::unix::ffi::OsStrExt;
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = files.get(path) {
        return Some(known.clone());
    }
    let text = std::fs::read(std::ffi::OsStr::from_bytes(path)).ok()?;
    let parsed = Arc::new(parse(&text));
    files.insert(path.to_vec(), parsed.clone());
    Some(parsed)
}

/// Whether a pattern with `?` and `*` matches all of a text.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    // Where the last `*` stands, and how much of the text it has taken.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(byte) if *byte == b'?' || *byte == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, t) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

/// The pattern as the regular expression that PHP shows.
fn regex(lower: &[u8]) -> Vec<u8> {
    let mut out = b"~^".to_vec();
    for byte in lower {
        match byte {
            b'?' => out.push(b'.'),
            b'*' => out.extend_from_slice(b".*"),
            b'.' | b'\\' | b'(' | b')' | b'~' | b'+' => out.extend_from_slice(&[b'\\', *byte]),
            _ => out.push(*byte),
        }
    }
    out.extend_from_slice(b"$~");
    out
}

impl Browscap {
    fn find(&self, work: &mut Work, agent: &[u8]) -> Res<Option<&Entry>> {
        let agent = PStr::mapped(agent, |byte| byte.to_ascii_lowercase());
        if let Some(exact) = self.by_name.get(agent.as_bytes()) {
            return Ok(self.entries.get(*exact));
        }
        let mut best: Option<&Entry> = None;
        for entry in &self.entries {
            let is_better = best.is_none_or(|best| entry.literal > best.literal);
            if is_better && matches(&entry.lower, &agent) {
                best = Some(entry);
            }
            work.spend(agent.len() + entry.lower.len())?;
        }
        Ok(best)
    }

    /// What an entry and its parents say.
    fn properties(&self, entry: &Entry) -> PArray {
        let mut all = PArray::new();
        all.set_bytes(b"browser_name_regex", PStr::new(&regex(&entry.lower)));
        all.set_bytes(b"browser_name_pattern", PStr::new(&entry.pattern));
        let mut next = Some(entry);
        // A chain is no longer than there are entries, even where parents go in circles.
        for _ in 0..self.entries.len() {
            let Some(entry) = next else { break };
            for (name, value) in &entry.properties {
                if all.get_bytes(name).is_none() {
                    all.set_bytes(name, PStr::new(value));
                }
            }
            let parent = entry.properties.iter().find(|(name, _)| name == b"parent");
            next = parent.and_then(|(_, name)| self.entries.get(*self.by_name.get(&name.to_ascii_lowercase())?));
        }
        all
    }
}

pub fn get_browser(cx: &mut Cx, user_agent: Option<&PStr>, return_array: bool) -> Res<Value> {
    let path = cx.ini.str("browscap").to_vec();
    let found = if path.is_empty() { None } else { file(&path) };
    let Some(found) = found else {
        cx.warning("browscap ini directive not set")?;
        return Ok(Value::from(false));
    };
    let agent = match user_agent {
        Some(agent) => agent.clone(),
        None => {
            let server = cx.engine().global(cx, b"_SERVER");
            let own = match server.as_ref().map(Value::view_deref) {
                Some(View::Array(server)) => server.get_bytes(b"HTTP_USER_AGENT").and_then(|agent| agent.deref().as_str().cloned()),
                _ => None,
            };
            match own {
                Some(agent) => agent,
                None => {
                    cx.warning("HTTP_USER_AGENT variable is not set, cannot determine user agent name")?;
                    return Ok(Value::from(false));
                }
            }
        }
    };
    let Some(entry) = found.find(&mut Work::new(cx), &agent)? else { return Ok(Value::from(false)) };
    let properties = found.properties(entry);
    if return_array {
        return Ok(Value::from(properties));
    }
    let class = cx.builtin_class(b"stdclass");
    let object = cx.new_object(class)?;
    object.update_dynamic(|table| *table = properties);
    Ok(Value::from(object))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_literal_pattern_wins() {
        let found = parse(b"[*]\nBrowser=\"Default\"\n[Base]\nCrawler=true\n[moz?lla*]\nParent=Base\n[mozilla/5*]\nParent=Base\nA=b ; c\n");
        let pattern = |agent: &[u8]| found.find(&mut Work::uninterrupted(), agent).unwrap().map(|entry| entry.pattern.clone());
        assert_eq!(pattern(b"Mozilla/5.0 x"), Some(b"mozilla/5*".to_vec()));
        assert_eq!(pattern(b"Mozilla"), Some(b"moz?lla*".to_vec()));
        assert_eq!(pattern(b""), Some(b"*".to_vec()));
        assert_eq!(regex(b"a.b (?)*"), b"~^a\\.b \\(.\\).*$~");
    }
}
