//! The response's head: header(), cookies, status.

use jumbo_abi::{Callable, Cx, Level, KeyRef, Message, PArray, PRef, PStr, Res, Stop, Value, View};
use jumbo_abi::request::{BodyLimits, BodyParser};
use jumbo_value::{Heap, PStrBuilder, convert};
use std::time::{SystemTime, UNIX_EPOCH};

/// `what`, and where the headers were sent.
fn sent_text(cx: &Cx, what: &str, by: &str) -> Res<PStr> {
    Ok(match &cx.output.head.sent_at {
        Some((file, line)) if !file.is_empty() => {
            let line = line.to_string();
            [what.as_bytes(), by.as_bytes(), b" (output started at ", file.as_bytes(), b":", line.as_bytes(), b")"].to_str()?
        }
        _ => what.to_str()?,
    })
}

/// Warning when headers are gone already. Ok(false): they are.
fn open(cx: &mut Cx) -> Res<bool> {
    if !cx.output.head.sent {
        return Ok(true);
    }
    let text = sent_text(cx, "Cannot modify header information - headers already sent", " by")?;
    cx.raise(Level::Warning, &text)?;
    Ok(false)
}

fn name_of(line: &[u8]) -> &[u8] {
    line.split(|&b| b == b':').next().unwrap_or(line)
}

/// Adds a header line, replacing those of its name when asked.
pub fn add(cx: &mut Cx, line: &[u8], replace: bool) -> Res<()> {
    if replace {
        remove(cx, |name| name.eq_ignore_ascii_case(name_of(line)));
    }
    Heap::try_charge_current(counted(line))?;
    cx.output.head.headers.push(line.to_vec());
    Ok(())
}

/// What a line counts against memory_limit.
fn counted(line: &[u8]) -> usize {
    line.len() + size_of::<Vec<u8>>()
}

fn remove(cx: &mut Cx, is_meant: impl Fn(&[u8]) -> bool) {
    cx.output.head.headers.retain(|line| {
        let goes = is_meant(name_of(line));
        if goes {
            Heap::uncharge_current(counted(line));
        }
        !goes
    });
}

pub fn header(cx: &mut Cx, header: &PStr, replace: bool, response_code: i64) -> Res<()> {
    if !open(cx)? {
        return Ok(());
    }
    let line = header.as_bytes().trim_ascii_end();
    if line.contains(&0) {
        return cx.raise(Level::Warning, b"Header may not contain NUL bytes");
    }
    if line.iter().any(|b| matches!(b, b'\n' | b'\r')) {
        return cx.raise(Level::Warning, b"Header may not contain more than a single header, new line detected");
    }
    if line.is_empty() {
        return Ok(());
    }
    let status = u16::try_from(response_code).ok().filter(|c| *c != 0);
    if line.len() >= 5 && line[..5].eq_ignore_ascii_case(b"HTTP/") {
        let code = line.split(|&b| b == b' ').nth(1).map_or(0, jumbo_value::number::str_to_int);
        cx.output.head.status = status.unwrap_or(u16::try_from(code).unwrap_or(200));
        cx.output.head.status_line = Some(PStr::new(line));
        return Ok(());
    }
    // A line without a colon has no name that means anything.
    let (name, value) = match memchr::memchr(b':', line) {
        Some(colon) => (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii()),
        None => (b"".as_slice(), b"".as_slice()),
    };
    let with_charset;
    let mut line = line;
    if name.eq_ignore_ascii_case(b"content-type") {
        // Text types get the default charset.
        let charset = cx.ini.str("default_charset");
        let has_charset = value.windows(8).any(|w| w.eq_ignore_ascii_case(b"charset="));
        if value.len() >= 5 && value[..5].eq_ignore_ascii_case(b"text/") && !has_charset && !charset.is_empty() {
            with_charset = PStr::concat(&[b"Content-type: ", value, b";charset=", charset]);
            line = &with_charset;
        }
    }
    if name.eq_ignore_ascii_case(b"location") && status.is_none() {
        let now = cx.output.head.status;
        let is_redirect = (300..400).contains(&now) || now == 201;
        if !is_redirect {
            cx.output.head.status = 302;
            cx.output.head.status_line = None;
        }
    }
    if name.eq_ignore_ascii_case(b"status") {
        let code = jumbo_value::number::str_to_int(value);
        if let Ok(code) = u16::try_from(code) {
            cx.output.head.status = code;
        }
        return Ok(());
    }
    add(cx, line, replace)?;
    if let Some(status) = status {
        cx.output.head.status = status;
        cx.output.head.status_line = None;
    }
    Ok(())
}

pub fn headers_sent(cx: &mut Cx, filename: Option<&PRef>, line: Option<&PRef>) -> bool {
    let head = &cx.output.head;
    let sent = head.sent;
    let (file, number) = head.sent_at.clone().unwrap_or((PStr::empty(), 0));
    if let Some(r) = line {
        r.set(Value::from(i64::from(number)));
    }
    if let Some(r) = filename {
        r.set(Value::from(file));
    }
    sent
}

pub fn headers_list(cx: &mut Cx) -> PArray {
    // The command line has nobody to send headers to, and shows none.
    let shown = if cx.output.no_headers { &[] } else { cx.output.head.headers.as_slice() };
    shown.iter().map(|h| Value::from(PStr::new(h))).collect()
}

pub fn header_remove(cx: &mut Cx, name: Option<&PStr>) -> Res<()> {
    if !open(cx)? {
        return Ok(());
    }
    match name {
        Some(removed) => remove(cx, |name| name.eq_ignore_ascii_case(removed.as_bytes())),
        None => remove(cx, |_| true),
    }
    Ok(())
}

pub fn http_response_code(cx: &mut Cx, response_code: i64) -> Res<Value> {
    let old = cx.output.head.status;
    if response_code != 0 {
        if cx.output.head.sent {
            let text = sent_text(cx, "Cannot set response code - headers already sent", "")?;
            cx.warning(text)?;
            return Ok(Value::from(false));
        }
        cx.output.head.status = u16::try_from(response_code).unwrap_or(0);
        cx.output.head.status_line = None;
        return Ok(if old == 0 { Value::from(true) } else { Value::from(i64::from(old)) });
    }
    Ok(match old {
        0 if cx.output.no_headers => Value::from(false),
        0 => Value::from(200),
        _ => Value::from(i64::from(old)),
    })
}

pub fn header_register_callback(cx: &mut Cx, callback: &Callable) -> bool {
    cx.output.head.callback = Some(callback.clone());
    true
}

struct Cookie {
    expires: i64,
    path: PStr,
    domain: PStr,
    secure: bool,
    http_only: bool,
    same_site: PStr,
}

/// ValueError of the running function about an option.
fn cookie_error(cx: &mut Cx, pieces: [&[u8]; 3]) -> Stop {
    let function = cx.active_function_name();
    let [start, middle, end] = pieces;
    cx.value_error([function.as_slice(), b"(): ", start, middle, end])
}

fn cookie(cx: &mut Cx, name: &PStr, value: &PStr, raw: bool, mut c: Cookie, options: Option<&PArray>) -> Res<bool> {
    if let Some(options) = options {
        for (k, v) in options {
            let KeyRef::Str(key) = k else {
                return Err(cookie_error(cx, [b"option array cannot have numeric keys", b"", b""]));
            };
            let v = v.copy_deref();
            match key.as_bytes().to_ascii_lowercase().as_slice() {
                b"expires" => c.expires = convert::to_int(&v),
                b"path" => c.path = cx.to_string(&v)?,
                b"domain" => c.domain = cx.to_string(&v)?,
                b"secure" => c.secure = convert::to_bool(&v),
                b"httponly" => c.http_only = convert::to_bool(&v),
                b"samesite" => c.same_site = cx.to_string(&v)?,
                _ => return Err(cookie_error(cx, [b"option \"", key.as_bytes(), b"\" is invalid"])),
            }
        }
    }
    if name.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let bad = |s: &[u8], set: &[u8]| s.iter().any(|b| set.contains(b));
    if bad(name.as_bytes(), b"=,; \t\r\n\x0b\x0c") {
        return Err(cx.arg_value_error(1, "cannot contain \"=\", \",\", \";\", \" \", \"\\t\", \"\\r\", \"\\n\", \"\\013\", or \"\\014\""));
    }
    if raw && bad(value.as_bytes(), b",; \t\r\n\x0b\x0c") {
        return Err(cx.arg_value_error(2, "cannot contain \",\", \";\", \" \", \"\\t\", \"\\r\", \"\\n\", \"\\013\", or \"\\014\""));
    }
    for (part, what) in [(&c.path, "path"), (&c.domain, "domain")] {
        if bad(part, b",; \t\r\n\x0b\x0c") {
            let cannot = b"\" option cannot contain \",\", \";\", \" \", \"\\t\", \"\\r\", \"\\n\", \"\\013\", or \"\\014\"";
            return Err(cookie_error(cx, [b"\"", what.as_bytes(), cannot]));
        }
    }
    // The last second of the year 9999.
    if c.expires > 253_402_300_799 {
        return Err(cookie_error(cx, [b"\"expires\" option cannot have a year greater than 9999", b"", b""]));
    }
    let mut line = PStrBuilder::new();
    line.extend(b"Set-Cookie: ")?;
    line.extend(name)?;
    line.push(b'=')?;
    if value.is_empty() {
        line.extend(b"deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0")?;
    } else {
        if raw {
            line.extend(value.as_bytes())?;
        } else {
            jumbo_ext_strings::pure::url::raw_url_encode(value.as_bytes(), &mut line)?;
        }
        if c.expires > 0 {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64);
            line.extend(b"; expires=")?;
            line.extend(http_date(c.expires).as_bytes())?;
            write!(line, "; Max-Age={}", (c.expires - now).max(0))?;
        }
    }
    for (part, label) in [(&c.path, b"; path=".as_slice()), (&c.domain, b"; domain=")] {
        if !part.is_empty() {
            line.extend(label)?;
            line.extend(part)?;
        }
    }
    if c.secure {
        line.extend(b"; secure")?;
    }
    if c.http_only {
        line.extend(b"; HttpOnly")?;
    }
    if !c.same_site.is_empty() {
        line.extend(b"; SameSite=")?;
        line.extend(&c.same_site)?;
    }
    if !open(cx)? {
        return Ok(false);
    }
    add(cx, &line, false)?;
    Ok(true)
}

/// A point in time by the calendar, in UTC.
struct Civil {
    year: i64,
    month: &'static str,
    day: i64,
    weekday: &'static str,
    clock: String,
}

fn civil(timestamp: i64) -> Civil {
    let days = timestamp.div_euclid(86_400);
    let seconds = timestamp.rem_euclid(86_400);
    // Civil date from days since 1970 (Howard Hinnant's algorithm).
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (day, month) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    Civil {
        year: yoe + era * 400 + i64::from(month <= 2),
        month: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][(month - 1) as usize],
        day,
        weekday: ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][days.rem_euclid(7) as usize],
        clock: format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// `Thu, 01 Jan 1970 00:00:01 GMT`.
pub fn http_date(timestamp: i64) -> String {
    let c = civil(timestamp);
    format!("{}, {:02} {} {:04} {} GMT", c.weekday, c.day, c.month, c.year, c.clock)
}

/// `01-Jan-1970 00:00:01 UTC`, as lines of logs begin.
pub fn log_date(timestamp: i64) -> String {
    let c = civil(timestamp);
    format!("{:02}-{}-{:04} {} UTC", c.day, c.month, c.year, c.clock)
}

#[allow(clippy::too_many_arguments)]
fn set(cx: &mut Cx, raw: bool, name: &PStr, value: &PStr, third: &Value, path: &PStr, domain: &PStr, secure: bool, httponly: bool) -> Res<bool> {
    let mut c = Cookie {
        expires: 0,
        path: path.clone(),
        domain: domain.clone(),
        secure,
        http_only: httponly,
        same_site: PStr::empty(),
    };
    match third.view_deref() {
        View::Array(options) => {
            if !path.is_empty() || !domain.is_empty() || secure || httponly {
                let function = cx.active_function_name();
                let what = b"(): Expects exactly 3 arguments when argument #3 ($expires_or_options) is an array";
                return Err(cx.throw("ArgumentCountError", [function.as_slice(), what]));
            }
            let options = options.clone();
            cookie(cx, name, value, raw, c, Some(&options))
        }
        _ => {
            c.expires = convert::to_int(third);
            cookie(cx, name, value, raw, c, None)
        }
    }
}

#[allow(clippy::too_many_arguments)]
pub fn setcookie(cx: &mut Cx, name: &PStr, value: &PStr, expires_or_options: &Value, path: &PStr, domain: &PStr, secure: bool, httponly: bool) -> Res<bool> {
    set(cx, false, name, value, expires_or_options, path, domain, secure, httponly)
}

#[allow(clippy::too_many_arguments)]
pub fn setrawcookie(cx: &mut Cx, name: &PStr, value: &PStr, expires_or_options: &Value, path: &PStr, domain: &PStr, secure: bool, httponly: bool) -> Res<bool> {
    set(cx, true, name, value, expires_or_options, path, domain, secure, httponly)
}

/// A size as ini settings write it, with PHP's warning about a multiplier that is none.
fn quantity(cx: &mut Cx, text: &[u8]) -> Res<i64> {
    let number = text.trim_ascii();
    let digits = number.iter().skip_while(|b| matches!(b, b'+' | b'-')).take_while(|b| b.is_ascii_digit()).count();
    if let Some(last) = number.last()
        && digits > 0
        && !last.is_ascii_digit()
        && !matches!(last, b'k' | b'K' | b'm' | b'M' | b'g' | b'G')
    {
        let plain = &number[..number.len() - number.iter().rev().take_while(|b| !b.is_ascii_digit()).count()];
        let message = [
            b"Invalid quantity \"".as_slice(),
            text,
            b"\": unknown multiplier \"",
            &[*last],
            b"\", interpreting as \"",
            plain,
            b"\" for backwards compatibility",
        ];
        cx.raise(Level::Warning, message)?;
        return Ok(jumbo_abi::ini::parse_quantity(plain));
    }
    Ok(jumbo_abi::ini::parse_quantity(number))
}

fn body_limits(cx: &mut Cx, options: &PArray) -> Res<BodyLimits> {
    let mut limits = BodyLimits::default();
    for (key, value) in options.entries() {
        let KeyRef::Str(name) = key.as_ref() else {
            return Err(cx.value_error("Invalid integer key in $options argument"));
        };
        let place = match name.as_bytes() {
            b"max_file_uploads" => &mut limits.max_file_uploads,
            b"max_input_vars" => &mut limits.max_input_vars,
            b"max_multipart_body_parts" => &mut limits.max_multipart_body_parts,
            b"post_max_size" => &mut limits.post_max_size,
            b"upload_max_filesize" => &mut limits.upload_max_filesize,
            other => {
                return Err(cx.value_error([b"Invalid key \"".as_slice(), other, b"\" in $options argument"]));
            }
        };
        *place = Some(match value.view_deref() {
            View::Int(number) => number,
            View::Str(text) => quantity(cx, text.as_bytes())?,
            _ => {
                let given = jumbo_abi::args::type_name(&value);
                return Err(cx.value_error([b"Invalid ".as_slice(), &given, b" value in $options argument"]));
            }
        });
    }
    Ok(limits)
}

pub fn request_parse_body(cx: &mut Cx, options: Option<&PArray>) -> Res<PArray> {
    let limits = match options {
        Some(options) => body_limits(cx, options)?,
        None => BodyLimits::default(),
    };
    let parser = cx.state::<BodyParser>();
    let (parse, content_type) = (parser.parse, parser.content_type.clone());
    let Some(parse) = parse.filter(|_| !content_type.is_empty()) else {
        return Err(cx.throw("RequestParseBodyException", "Request does not provide a content type"));
    };
    let end = content_type.iter().position(|b| matches!(b, b';' | b',' | b' ')).unwrap_or(content_type.len());
    let kind = content_type[..end].to_ascii_lowercase();
    if kind != b"application/x-www-form-urlencoded" && kind != b"multipart/form-data" {
        let text = [b"Content-Type \"".as_slice(), &content_type, b"\" is not supported"];
        return Err(cx.throw("RequestParseBodyException", text));
    }
    match parse(cx, &limits) {
        Ok((post, files)) => Ok(PArray::from_values([Value::from(post), Value::from(files)])),
        Err(why) => Err(cx.throw("RequestParseBodyException", why)),
    }
}
