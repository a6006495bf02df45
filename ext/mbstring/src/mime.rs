//! MIME headers: `=?charset?B?…?=` and `=?charset?Q?…?=` (RFC 2047).

use crate::encoding::{Codes, Encoding};
use crate::settings::{encoding, settings, substitute};
use crate::{Substitute, transfer};
use jumbo_value::{HeapCharge, OutOfMemory, PStrBuilder};
use jumbo_abi::{Cx, KeyRef, PArray, PStr, Res, Value, View, Work};

/// An encoded word at the start of a text: its characters and its length.
fn encoded_word(text: &[u8]) -> Result<Option<(Codes, usize)>, OutOfMemory> {
    let Some((encoding, letter, content, len)) = encoded_word_parts(text) else { return Ok(None) };
    let codes = match letter {
        b'B' => match jumbo_ext_strings::pure::encode::base64_decode(content, false)? {
            Some(bytes) => encoding.decode_charged(&bytes)?,
            None => return Ok(None),
        },
        b'Q' => encoding.decode_charged(&quoted(content)?)?,
        _ => return Ok(None),
    };
    Ok(Some((codes, len)))
}

/// The encoding, the letter for the transfer encoding, the text and the whole length of an encoded word.
fn encoded_word_parts(text: &[u8]) -> Option<(&'static Encoding, u8, &[u8], usize)> {
    let rest = text.strip_prefix(b"=?")?;
    let name_end = rest.iter().position(|b| *b == b'?')?;
    let encoding = Encoding::find(&rest[..name_end])?;
    let letter = rest.get(name_end + 1)?.to_ascii_uppercase();
    if rest.get(name_end + 2) != Some(&b'?') {
        return None;
    }
    let body = &rest[name_end + 3..];
    let end = body.windows(2).position(|w| w == b"?=")?;
    Some((encoding, letter, &body[..end], text.len() - body.len() + end + 2))
}

/// The Q encoding: `_` is a space, `=41` a byte.
fn quoted(text: &[u8]) -> Result<PStrBuilder, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len())?;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let digit = |at: usize| text.get(at).and_then(|b| (*b as char).to_digit(16));
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'=', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8)?;
                at += 3;
            }
            (b'_', ..) => {
                out.push(b' ')?;
                at += 1;
            }
            _ => {
                out.push(byte)?;
                at += 1;
            }
        }
    }
    Ok(out)
}

pub fn mb_decode_mimeheader(cx: &mut Cx, string: &PStr) -> Res<PStr> {
    let substitute = crate::settings::substitute(cx);
    let internal = crate::settings::settings(cx).internal;
    let text = string.as_bytes();
    let mut codes = Codes::with_capacity(text.len())?;
    let mut at = 0;
    let mut after_word = false;
    let is_line_end = |b: u8| matches!(b, b'\r' | b'\n');
    // A folded line is one space, and nothing at the end of the header; blanks between two encoded words are nothing.
    while at < text.len() {
        cx.check()?;
        if after_word || is_line_end(text[at]) {
            let blanks = text[at..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
            at += blanks;
            let word = if after_word { encoded_word(&text[at..])? } else { None };
            if let Some((word, length)) = word {
                codes.extend(&word)?;
                at += length;
                continue;
            }
            if blanks > 0 && at < text.len() {
                codes.push(u32::from(b' '))?;
            }
            after_word = false;
            continue;
        }
        if let Some((word, length)) = encoded_word(&text[at..])? {
            codes.extend(&word)?;
            at += length;
            after_word = true;
            continue;
        }
        let plain = text[at..].iter().skip(1).take_while(|&&b| !is_line_end(b) && b != b'=').count() + 1;
        let end = (at + plain).min(text.len());
        // Nothing but ASCII stands in a header outside of encoded words.
        for b in &text[at..end] {
            codes.push(u32::from(if b.is_ascii() { *b } else { b'?' }))?;
        }
        at = end;
    }
    Ok(internal.encode_charged(&codes, substitute)?.finish())
}

/// The longest indentation of a header, and the longest line and word that are left as they are.
const INDENT_MAX: usize = 74;
const LINE_MAX: usize = 75;
/// Columns and bytes of the charset's name beyond which an encoded word begins a new line.
const CROWDED: usize = 55;
/// Bytes of a line end that are used.
const NEWLINE_MAX: usize = 8;

/// A header that is being encoded.
struct Header<'e> {
    charset: &'e Encoding,
    base64: bool,
    substitute: Substitute,
    newline: &'e [u8],
    out: PStrBuilder,
    /// Columns of the line so far.
    column: usize,
    work: Work<'e>,
}

/// Characters that need no encoding.
fn is_plain(code: u32) -> bool {
    (0x21..0x7f).contains(&code) && ![b'=', b'?', b'_'].map(u32::from).contains(&code)
}

impl Header<'_> {
    /// The words as they are up to the first that must be encoded; from there on all is encoded.
    fn write(&mut self, codes: &[u32]) -> Res<()> {
        let mut rest = codes;
        while !rest.is_empty() {
            let spaces = rest.iter().take_while(|code| **code == 0x20).count();
            let word = rest[spaces..].iter().take_while(|code| **code != 0x20).count();
            if word == 0 && spaces == 1 && !self.out.is_empty() {
                // One space at the end is lost.
                return Ok(());
            }
            let text = &rest[spaces..spaces + word];
            if !text.iter().all(|code| is_plain(*code)) || word > LINE_MAX {
                // One space stands between what is plain and what is encoded.
                let separator = usize::from(spaces > 0 && !self.out.is_empty());
                if separator == 1 {
                    self.out.push(b' ')?;
                    self.column += 1;
                }
                return self.encoded(&rest[separator..]);
            }
            // A fold comes before all of the spaces.
            if self.column + spaces + word > LINE_MAX && spaces > 0 && !self.out.is_empty() {
                self.out.extend(self.newline)?;
                self.column = 0;
            }
            self.out.fill(b' ', spaces)?;
            self.column += spaces;
            for code in text {
                self.out.push(*code as u8)?;
            }
            self.column += word;
            rest = &rest[spaces + word..];
        }
        Ok(())
    }

    fn fold(&mut self) -> Result<(), OutOfMemory> {
        self.out.extend(self.newline)?;
        self.column = 1;
        self.out.push(b' ')
    }

    /// An encoded word of these characters.
    fn word(&self, codes: &[u32]) -> Vec<u8> {
        let bytes = self.charset.encode(codes, self.substitute);
        let letter = if self.base64 { b"?B?" } else { b"?Q?" };
        let mut word = [b"=?".as_slice(), self.charset.mime_name.as_bytes(), letter].concat();
        if self.base64 {
            for group in bytes.chunks(3) {
                word.extend_from_slice(&jumbo_ext_strings::pure::encode::base64_group(group));
            }
        } else {
            for byte in bytes {
                match byte {
                    b'A'..=b'Z' | b'a'..=b'z' | b'!' | b'*' | b'+' | b'-' | b'/' => word.push(byte),
                    _ => word.extend_from_slice(format!("={byte:02X}").as_bytes()),
                }
            }
        }
        word.extend_from_slice(b"?=");
        word
    }

    /// As many encoded words as the lines need.
    fn encoded(&mut self, codes: &[u32]) -> Res<()> {
        // A line that has little room left gets no encoded word.
        if self.column > 0 && self.column + self.charset.mime_name.len() > CROWDED {
            self.trim_space();
            self.fold()?;
            self.column = 0;
        }
        let mut rest = codes;
        while !rest.is_empty() {
            let room = LINE_MAX.saturating_sub(self.column);
            // More characters never make a shorter word, apart from shift sequences at its end.
            let mut count = 0;
            while count < rest.len() && self.word(&rest[..count + 1]).len() <= room {
                count += 1;
            }
            if count == 0 && self.column > 0 {
                self.trim_space();
                self.fold()?;
                // The space that begins a folded line is not counted here.
                self.column = 0;
                continue;
            }
            let count = count.max(1);
            let word = self.word(&rest[..count]);
            self.column += word.len();
            self.out.extend(&word)?;
            // A word is written as often as it has characters.
            self.work.spend(LINE_MAX * LINE_MAX)?;
            rest = &rest[count..];
            if !rest.is_empty() {
                self.fold()?;
                self.column = 0;
            }
        }
        Ok(())
    }

    /// A line does not end with the space that a fold makes again.
    fn trim_space(&mut self) {
        if self.out.last() == Some(&b' ') {
            self.out.pop();
        }
    }
}

/// A text as the value of a header.
#[allow(clippy::too_many_arguments)]
fn header(
    cx: &mut Cx,
    text: &[u8],
    from: &Encoding,
    charset: &Encoding,
    base64: bool,
    substitute: Substitute,
    newline: &[u8],
    indent: usize,
) -> Res<PStr> {
    let end = newline.iter().position(|byte| *byte == 0).unwrap_or(newline.len()).min(NEWLINE_MAX);
    let (newline, out, work) = (&newline[..end], PStrBuilder::new(), Work::new(cx));
    let mut header = Header { charset, base64, substitute, newline, out, column: indent, work };
    header.write(&from.decode_charged(text)?)?;
    Ok(header.out.finish())
}

pub fn mb_encode_mimeheader(
    cx: &mut Cx,
    string: &PStr,
    charset: Option<&PStr>,
    transfer_encoding: Option<&PStr>,
    newline: &PStr,
    indent: i64,
) -> Res<PStr> {
    let language = settings(cx).language;
    let mut base64 = language.mail_header == "BASE64";
    let charset = match charset {
        Some(name) => {
            base64 = true;
            let charset = encoding(cx, 2, Some(name))?;
            if charset.mime_name.is_empty() || charset.deprecation().is_some() {
                let text = [b"\"".as_slice(), name, b"\" cannot be used for MIME header encoding"];
                return Err(cx.arg_value_error(2, text));
            }
            charset
        }
        None => Encoding::find(language.mail_charset.as_bytes()).unwrap_or(Encoding::utf8()),
    };
    match transfer_encoding.and_then(|name| name.first()) {
        Some(b'B' | b'b') => base64 = true,
        Some(b'Q' | b'q') => base64 = false,
        _ => {}
    }
    let (internal, substitute) = (settings(cx).internal, substitute(cx));
    let indent = usize::try_from(indent).ok().filter(|indent| *indent < INDENT_MAX).unwrap_or(0);
    header(cx, string, internal, charset, base64, substitute, newline, indent)
}

/// The value of one of the headers, whether they come as a text or as an array.
fn given(headers: &Value, wanted: &[u8]) -> Option<Vec<u8>> {
    match headers.view_deref() {
        View::Array(list) => list.iter().find_map(|(key, value)| match key {
            KeyRef::Str(name) if name.eq_ignore_ascii_case(wanted) => value.deref().as_bytes().map(<[u8]>::to_vec),
            _ => None,
        }),
        View::Str(text) => text.split(|byte| *byte == b'\n').find_map(|line| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            line[..colon].trim_ascii().eq_ignore_ascii_case(wanted).then(|| line[colon + 1..].trim_ascii().to_vec())
        }),
        _ => None,
    }
}

/// The charset of a `Content-Type`.
fn charset_of(content_type: &[u8]) -> Option<&'static Encoding> {
    let lower = content_type.to_ascii_lowercase();
    let at = lower.windows(8).position(|part| part == b"charset=")? + 8;
    let name = content_type[at..].split(|byte| *byte == b';').next()?.trim_ascii();
    Encoding::find(name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name))
}

/// What stands before a subject in the line that it is folded for.
const SUBJECT_INDENT: usize = "Subject: [PHP-jp nnnnnnnn]\r\n".len();

pub fn mb_send_mail(cx: &mut Cx, to: &PStr, subject: &PStr, message: &PStr, headers: &Value, params: Option<&PStr>) -> Res<bool> {
    let texts = [(1, Some(to)), (2, Some(subject)), (3, Some(message)), (4, headers.deref().as_str()), (5, params)];
    for (n, text) in texts {
        if text.is_some_and(|text| text.contains(&0)) {
            return Err(cx.arg_value_error(n, "must not contain any null bytes"));
        }
    }
    let language = settings(cx).language;
    let (internal, substitute) = (settings(cx).internal, substitute(cx));
    let content_type = given(headers, b"content-type");
    let transfer = given(headers, b"content-transfer-encoding");
    let own = Encoding::find(language.mail_charset.as_bytes()).unwrap_or(Encoding::utf8());
    let charset = content_type.as_deref().and_then(charset_of).unwrap_or(own);
    let body_form = match &transfer {
        Some(name) => String::from_utf8_lossy(name).into_owned(),
        None => language.mail_body.to_string(),
    };
    let newline: &[u8] = if cx.ini.bool("mail.mixed_lf_and_crlf") { b"\n" } else { b"\r\n" };
    let base64 = language.mail_header == "BASE64";
    let subject = header(cx, subject, internal, charset, base64, substitute, newline, SUBJECT_INDENT)?;
    let body = charset.encode_charged(&*internal.decode_charged(message)?, substitute)?.finish();
    // Both transfer encodings write at most three bytes for one, and their lines' ends.
    let _charge = HeapCharge::new(body.len().saturating_mul(4))?;
    let body = match body_form.to_ascii_lowercase().as_str() {
        "base64" => PStr::new(&transfer::base64_encode(&body)),
        "quoted-printable" => PStr::new(&transfer::quoted_encode(&body)),
        _ => body,
    };
    let mut added: Vec<(&[u8], Vec<u8>)> = Vec::new();
    if given(headers, b"mime-version").is_none() {
        added.push((b"MIME-Version", b"1.0".to_vec()));
    }
    if content_type.is_none() {
        added.push((b"Content-Type", [b"text/plain; charset=".as_slice(), charset.mime_name.as_bytes()].concat()));
    }
    if transfer.is_none() {
        added.push((b"Content-Transfer-Encoding", body_form.into_bytes()));
    }
    let headers = match headers.view_deref() {
        View::Array(list) => {
            let mut list: PArray = list.clone();
            for (name, value) in added {
                list.set_bytes(name, Value::from(value));
            }
            Value::from(list)
        }
        other => {
            let mut text = match other {
                View::Str(text) => text.trim_ascii_end().to_vec(),
                _ => Vec::new(),
            };
            for (name, value) in added {
                if !text.is_empty() {
                    text.extend_from_slice(newline);
                }
                text.extend_from_slice(&[name, b": ", &value].concat());
            }
            Value::from(text)
        }
    };
    let params = params.map_or_else(|| Value::from(""), |params| Value::from(params.clone()));
    let arguments = [Value::from(to.clone()), Value::from(subject), Value::from(body), headers, params];
    let sent = cx.call_builtin("mail", &arguments)?;
    Ok(matches!(sent.view(), View::Bool(true)))
}
