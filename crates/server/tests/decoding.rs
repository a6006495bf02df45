//! Request decoding against what stock PHP 8.4 made of the same input (`data/decoding.txt`).

use jumbo_server::request::{BodyDecoder, InputLimits, Key, Map, Tree, parse_cookies, parse_query};

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&b, tail)) = rest.split_first() {
        rest = tail;
        if b == b'\\' && tail.first() == Some(&b'x') {
            let digits = std::str::from_utf8(&tail[1..3]).unwrap();
            out.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &tail[3..];
        } else {
            out.push(b);
        }
    }
    out
}

fn escape(bytes: &[u8], out: &mut String) {
    for &b in bytes {
        match b {
            b'"' | b'\\' => out.push_str(&format!("\\x{b:02x}")),
            b' '..=b'~' => out.push(char::from(b)),
            _ => out.push_str(&format!("\\x{b:02x}")),
        }
    }
}

fn render(map: &Map, out: &mut String) {
    out.push('{');
    for (key, value) in map {
        match key {
            Key::Int(n) => out.push_str(&n.to_string()),
            Key::Bytes(bytes) => {
                out.push('"');
                escape(bytes, out);
                out.push('"');
            }
        }
        out.push(':');
        match value {
            Tree::Int(n) => out.push_str(&n.to_string()),
            Tree::Node(map) => render(map, out),
            Tree::Leaf(bytes) if bytes.windows(4).any(|w| w == b"/php") => out.push_str("\"TMP\""),
            Tree::Leaf(bytes) => {
                out.push('"');
                escape(bytes, out);
                out.push('"');
            }
        }
        out.push(',');
    }
    out.push('}');
}

fn rendered(map: &Map) -> String {
    let mut out = String::new();
    render(map, &mut out);
    out
}

fn limits(header: &str) -> InputLimits {
    let mut limits = InputLimits::default();
    for setting in header.split_once(": ").unwrap().1.split(' ') {
        let (name, value) = setting.split_once('=').unwrap();
        let value: usize = value.parse().unwrap();
        match name {
            "max_input_vars" => limits.max_input_vars = value,
            "max_input_nesting_level" => limits.max_input_nesting_level = value,
            "post_max_size" => limits.post_max_size = value as u64,
            "upload_max_filesize" => limits.upload_max_filesize = value as u64,
            "max_file_uploads" => limits.max_file_uploads = value,
            other => panic!("unknown setting {other}"),
        }
    }
    limits
}

/// The body comes in one piece, byte by byte, and in threes: the result must not depend on it.
#[test]
fn decodes_as_stock_php() {
    let data = include_str!("data/decoding.txt");
    let limits = limits(data.lines().next().unwrap());
    let mut failures = String::new();
    let mut cases = 0;
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [method, query, content_type, cookie, body, expected @ ..] = fields.as_slice() else {
            panic!("malformed line {line}");
        };
        let body = unescape(body);
        for piece in [body.len().max(1), 1, 3] {
            cases += 1;
            let get = parse_query(query.as_bytes(), &limits);
            let cookies = parse_cookies(&unescape(cookie), &limits);
            let length = (*method != "GET").then_some(body.len() as u64);
            let mut decoder =
                BodyDecoder::new(method.as_bytes(), content_type.as_bytes(), length, &limits);
            for bytes in body.chunks(piece) {
                decoder.push(bytes).unwrap();
            }
            let decoded = decoder.finish().unwrap();
            let post = decoded.post.decode(&decoded.raw, &limits).unwrap();
            let of_body = [decoded.diagnostics.clone(), post.diagnostics].concat();
            let diagnostics = [&of_body, &cookies.diagnostics, &get.diagnostics];
            let last = diagnostics.iter().filter_map(|d| d.last()).next();
            let actual = [
                rendered(&get.variables),
                rendered(&post.variables),
                rendered(&cookies.variables),
                rendered(&decoded.files),
                decoded.raw.len().to_string(),
                last.map(|d| d.message.clone()).unwrap_or_default(),
            ];
            if actual.iter().map(String::as_str).collect::<Vec<_>>() != expected {
                failures.push_str(&format!(
                    "pieces of {piece}: {line}\n  expected {expected:?}\n  actual   {actual:?}\n"
                ));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(cases > 1000);
}
