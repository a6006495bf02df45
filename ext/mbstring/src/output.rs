//! mb_output_handler(): the output converted from the internal encoding to that of mb_http_output().

use crate::encoding::{Encoding, PASS, convert};
use jumbo_abi::{Cx, PStr, Res};
use onig::{EncodedBytes, MatchParam, Regex, RegexOptions, SearchOptions, Syntax};

const START: i64 = 1;

/// The conversion that the beginning of the output has decided on.
#[derive(Default)]
struct Active(Option<&'static Encoding>);

/// Does the type of the response go with `mbstring.http_output_conv_mimetypes`?
fn is_converted(cx: &Cx, kind: &[u8]) -> bool {
    let pattern = cx.ini.str("mbstring.http_output_conv_mimetypes").trim_ascii();
    if pattern.is_empty() {
        return false;
    }
    let options = RegexOptions::REGEX_OPTION_DONT_CAPTURE_GROUP;
    let Ok(regex) = Regex::with_options_and_encoding(EncodedBytes::ascii(pattern), options, Syntax::perl()) else { return false };
    let text = EncodedBytes::ascii(kind);
    let found = regex.search_with_param(text, 0, kind.len(), SearchOptions::SEARCH_OPTION_NONE, None, MatchParam::default());
    matches!(found, Ok(Some(_)))
}

/// The type that the script has set, without its parameters.
fn content_type(cx: &Cx) -> Option<Vec<u8>> {
    let line = cx.output.head.headers.iter().find(|h| h.len() > 13 && h[..13].eq_ignore_ascii_case(b"Content-Type:"))?;
    let value = line[13..].trim_ascii();
    let end = value.iter().position(|b| *b == b';').unwrap_or(value.len());
    Some(value[..end].trim_ascii().to_vec())
}

pub fn mb_output_handler(cx: &mut Cx, string: &PStr, status: i64) -> Res<PStr> {
    let target = crate::settings::settings(cx).http_output;
    if status & START != 0 {
        let own = content_type(cx);
        let kind = own.clone().unwrap_or_else(|| match cx.ini.str("default_mimetype") {
            b"" => b"text/html".to_vec(),
            kind => kind.to_vec(),
        });
        let converts = *target != PASS && (own.is_none() || is_converted(cx, &kind));
        if converts && !cx.output.head.sent {
            let line = [b"Content-Type: ".as_slice(), &kind, b"; charset=", target.mime_name.as_bytes()].concat();
            let headers = &mut cx.output.head.headers;
            headers.retain(|h| !(h.len() >= 13 && h[..13].eq_ignore_ascii_case(b"Content-Type:")));
            headers.push(line);
        }
        cx.state::<Active>().0 = converts.then_some(target);
    }
    let Some(target) = cx.state::<Active>().0 else { return Ok(string.clone()) };
    let (internal, substitute) = (crate::settings::settings(cx).internal, crate::settings::substitute(cx));
    Ok(convert(string.as_bytes(), target, internal, substitute)?.finish())
}
