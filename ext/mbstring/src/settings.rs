//! What an instance has set: internal encoding, detection order, what stands for what cannot be converted; and how encoding
//! arguments are read.

use crate::encoding::{Encoding, Substitute};
use jumbo_abi::{Cx, Level, PArray, PRef, PStr, Res, Value, View};
use jumbo_value::string::up_to_nul;

/// The settings, begun from the ini file's at first use.
pub(crate) struct Settings {
    pub internal: &'static Encoding,
    pub http_output: &'static Encoding,
    pub detect_order: Vec<&'static Encoding>,
    pub substitute: Substitute,
    /// The last character that was set as substitute: it stands for malformed input whatever the form.
    pub substitute_character: u32,
    /// What could not be converted since the start: mb_get_info's `illegal_chars`.
    pub illegal: i64,
    /// The name by which an encoding was looked up last.
    pub last_name: Option<PStr>,
    /// What mb_parse_str took its input for.
    pub identified: Option<&'static Encoding>,
    /// What the request's variables came in, by their letters for mb_http_input().
    pub input: Vec<(u8, &'static Encoding)>,
    pub language: &'static Language,
}

#[derive(Default)]
struct State(Option<Settings>);

pub(crate) struct Language {
    name: &'static str,
    short: &'static str,
    pub mail_charset: &'static str,
    pub mail_header: &'static str,
    pub mail_body: &'static str,
}

const fn language(
    name: &'static str,
    short: &'static str,
    mail_charset: &'static str,
    mail_header: &'static str,
    mail_body: &'static str,
) -> Language {
    Language { name, short, mail_charset, mail_header, mail_body }
}

static LANGUAGES: [Language; 12] = [
    language("neutral", "neutral", "UTF-8", "BASE64", "BASE64"),
    language("uni", "universal", "UTF-8", "BASE64", "BASE64"),
    language("Japanese", "ja", "ISO-2022-JP", "BASE64", "7bit"),
    language("Korean", "ko", "ISO-2022-KR", "BASE64", "7bit"),
    language("Simplified Chinese", "zh-cn", "HZ", "BASE64", "7bit"),
    language("Traditional Chinese", "zh-tw", "BIG-5", "BASE64", "8bit"),
    language("English", "en", "ISO-8859-1", "Quoted-Printable", "8bit"),
    language("German", "de", "ISO-8859-15", "Quoted-Printable", "8bit"),
    language("Armenian", "hy", "ArmSCII-8", "Quoted-Printable", "8bit"),
    language("Turkish", "tr", "ISO-8859-9", "Quoted-Printable", "8bit"),
    language("Russian", "ru", "KOI8-R", "Quoted-Printable", "8bit"),
    language("Ukrainian", "ua", "KOI8-U", "Quoted-Printable", "8bit"),
];

fn find_language(name: &[u8]) -> Option<&'static Language> {
    LANGUAGES
        .iter()
        .find(|l| name.eq_ignore_ascii_case(l.name.as_bytes()) || name.eq_ignore_ascii_case(l.short.as_bytes()))
}

/// The setting's text as an encoding, else that of the `general` setting of all of PHP, else `default_charset`, else UTF-8.
fn configured(cx: &Cx, name: &str, general: &str) -> &'static Encoding {
    let texts = [name, general, "default_charset"].map(|name| cx.ini.str(name));
    texts.into_iter().find_map(find_output).unwrap_or(Encoding::utf8())
}

/// The encodings that `auto` stands for in a language.
fn auto(language: &Language) -> Vec<&'static Encoding> {
    let names: &[&[u8]] = match language.short {
        "ja" => &[b"ASCII", b"JIS", b"UTF-8", b"EUC-JP", b"SJIS"],
        "ko" => &[b"ASCII", b"UTF-8", b"EUC-KR", b"UHC"],
        "zh-cn" => &[b"ASCII", b"UTF-8", b"EUC-CN", b"CP936"],
        "zh-tw" => &[b"ASCII", b"UTF-8", b"EUC-TW", b"BIG-5"],
        "de" => &[b"ASCII", b"UTF-8", b"ISO-8859-15"],
        "hy" => &[b"ASCII", b"UTF-8", b"ArmSCII-8"],
        "tr" => &[b"ASCII", b"UTF-8", b"ISO-8859-9"],
        "ru" => &[b"ASCII", b"UTF-8", b"KOI8-R", b"CP1251", b"CP866"],
        "ua" => &[b"ASCII", b"UTF-8", b"KOI8-U"],
        _ => &[b"ASCII", b"UTF-8"],
    };
    names.iter().copied().filter_map(Encoding::find).collect()
}

/// An encoding or `pass`.
fn find_output(name: &[u8]) -> Option<&'static Encoding> {
    if name.eq_ignore_ascii_case(b"pass") { Some(&crate::encoding::PASS) } else { Encoding::find(name) }
}

/// Settings that give way to PHP's general ones.
const DEPRECATED: [&str; 3] = ["mbstring.http_input", "mbstring.http_output", "mbstring.internal_encoding"];

/// What php.ini or the command line says that is deprecated; before the script.
pub(crate) fn startup(cx: &mut Cx) -> Res<()> {
    let order = auto(settings(cx).language);
    let detect = cx.ini.str("mbstring.detect_order").to_vec();
    invalid_list(cx, &detect, &order)?;
    for name in DEPRECATED {
        let value = cx.ini.str(name).to_vec();
        if value.is_empty() {
            continue;
        }
        cx.raise(Level::Deprecated, format_args!("PHP Startup: Use of {name} is deprecated"))?;
        match name {
            "mbstring.http_input" => invalid_list(cx, &value, &order)?,
            "mbstring.internal_encoding" if find_output(up_to_nul(&value)).is_none() => {
                let text = [b"PHP Startup: Unknown encoding \"".as_slice(), up_to_nul(&value), b"\" in ini setting"];
                cx.raise(Level::Warning, &text)?;
            }
            _ => {}
        }
    }
    if cx.ini.str("mbstring.http_input").is_empty() {
        // PHP reads this setting when it is registered, and once more when all settings are.
        let general = cx.ini.str("input_encoding").to_vec();
        for _ in 0..2 {
            invalid_list(cx, &general, &order)?;
        }
    }
    if cx.ini.bool("mbstring.encoding_translation") {
        translate_input(cx)?;
    }
    Ok(())
}

/// Warning of a list in php.ini with a name that is none.
fn invalid_list(cx: &mut Cx, list: &[u8], order: &[&'static Encoding]) -> Res<()> {
    match input_list(list, order) {
        Ok(_) => Ok(()),
        Err(name) => {
            let text = [b"PHP Startup: INI setting contains invalid encoding \"".as_slice(), up_to_nul(&name), b"\""];
            cx.raise(Level::Warning, &text)
        }
    }
}

/// As [`split_list`]; `pass` alone means that nothing is converted.
fn input_list(list: &[u8], order: &[&'static Encoding]) -> Result<Vec<&'static Encoding>, PStr> {
    if list.eq_ignore_ascii_case(b"pass") { Ok(vec![&crate::encoding::PASS]) } else { split_list(list, order) }
}

/// The encodings that variables of a request may come in: the setting's, those of PHP's general one, the internal encoding.
/// A list that is not in order is none.
fn expected_input(cx: &mut Cx) -> Vec<&'static Encoding> {
    let (internal, order) = (settings(cx).internal, auto(settings(cx).language));
    let texts = ["mbstring.http_input", "input_encoding"].map(|name| cx.ini.str(name));
    match texts.into_iter().find(|text| !text.is_empty()) {
        Some(text) => input_list(text, &order).unwrap_or_default(),
        None => vec![internal],
    }
}

/// `mbstring.encoding_translation`: the request's variables are converted to the internal encoding before the script sees them.
fn translate_input(cx: &mut Cx) -> Res<()> {
    let candidates = expected_input(cx);
    let internal = settings(cx).internal;
    let limit = cx.ini.int("max_input_vars");
    for (name, kind) in [("_POST", Some(b'p')), ("_GET", Some(b'g')), ("_COOKIE", Some(b'c')), ("_REQUEST", None)] {
        let Some(array) = cx.engine().global(cx, name.as_bytes()).and_then(|v| v.deref().as_array().cloned()) else { continue };
        if array.is_empty() {
            continue;
        }
        // Too many variables are none at all here.
        if array.len() as i64 > limit {
            cx.engine().set_global(cx, &PStr::from(name), Value::empty_array());
            continue;
        }
        let found = crate::conversion::identify(&array, &candidates, cx.ini.bool("mbstring.strict_detection"))?;
        let Some(found) = found else { continue };
        if let Some(kind) = kind {
            settings(cx).input.push((kind, found));
        }
        if *found != crate::encoding::PASS && !std::ptr::eq(found, internal) {
            let converted = crate::conversion::convert_variables(cx, &array, internal, found)?;
            cx.engine().set_global(cx, &PStr::from(name), Value::from(converted));
        }
    }
    Ok(())
}

fn deprecated(cx: &mut Cx, name: &str, value: &[u8]) {
    if !value.is_empty() {
        // Whatever a handler of errors does, the setting changes.
        let _ = cx.deprecated(format_args!("Use of {name} is deprecated"));
    }
}

fn default_order() -> Vec<&'static Encoding> {
    [b"ASCII".as_slice(), b"UTF-8"].into_iter().filter_map(Encoding::find).collect()
}

const QUESTION_MARK: u32 = 0x3f;

pub(crate) fn settings(cx: &mut Cx) -> &mut Settings {
    if cx.state::<State>().0.is_none() {
        let order = split_list(cx.ini.str("mbstring.detect_order"), &default_order()).unwrap_or_default();
        let new = Settings {
            internal: configured(cx, "mbstring.internal_encoding", "internal_encoding"),
            http_output: configured(cx, "mbstring.http_output", "output_encoding"),
            detect_order: if order.is_empty() { default_order() } else { order },
            substitute: substitute_setting(cx.ini.str("mbstring.substitute_character"), QUESTION_MARK).unwrap_or_default(),
            substitute_character: QUESTION_MARK,
            illegal: 0,
            last_name: None,
            identified: None,
            input: Vec::new(),
            language: find_language(cx.ini.str("mbstring.language")).unwrap_or(&LANGUAGES[0]),
        };
        cx.state::<State>().0 = Some(new);
    }
    cx.state::<State>().0.get_or_insert_with(|| Settings {
        internal: Encoding::utf8(),
        http_output: Encoding::utf8(),
        detect_order: default_order(),
        substitute: Substitute::default(),
        substitute_character: QUESTION_MARK,
        illegal: 0,
        last_name: None,
        identified: None,
        input: Vec::new(),
        language: &LANGUAGES[0],
    })
}

pub(crate) fn substitute(cx: &mut Cx) -> Substitute {
    settings(cx).substitute
}

/// The encoding that argument `n` names; absent: the internal one.
pub(crate) fn encoding(cx: &mut Cx, n: u32, name: Option<&PStr>) -> Res<&'static Encoding> {
    match name {
        None => Ok(settings(cx).internal),
        Some(name) => match Encoding::find(up_to_nul(name)) {
            Some(encoding) => {
                // Stock PHP keeps the encoding that was named last, and complains where it looks a name up.
                let settings = settings(cx);
                if !settings.last_name.as_ref().is_some_and(|last| last.eq_ignore_ascii_case(name)) {
                    settings.last_name = Some(name.clone());
                    if let Some(message) = encoding.deprecation() {
                        cx.deprecated(message)?;
                    }
                }
                Ok(encoding)
            }
            None => {
                let message = [b"must be a valid encoding, \"".as_slice(), up_to_nul(name), b"\" given"];
                Err(cx.arg_value_error(n, message))
            }
        },
    }
}

/// Entries of a list behind which only encodings are taken that it has not named yet.
const LIST_MAX: usize = 1000;

fn take(list: &mut Vec<&'static Encoding>, encoding: &'static Encoding) {
    if list.len() < LIST_MAX || !list.iter().any(|known| std::ptr::eq(*known, encoding)) {
        list.push(encoding);
    }
}

/// The encodings of a list with commas; `auto` stands for `order`. Err: the name that is none.
fn split_list(list: &[u8], order: &[&'static Encoding]) -> Result<Vec<&'static Encoding>, PStr> {
    let list = list.strip_prefix(b"\"").and_then(|l| l.strip_suffix(b"\"")).unwrap_or(list);
    let mut found: Vec<&'static Encoding> = Vec::new();
    if list.is_empty() {
        return Ok(found);
    }
    let mut automatic = false;
    for name in list.split(|&b| b == b',').map(<[u8]>::trim_ascii) {
        // Any beginning of the word stands for it, the empty one too; only the first counts.
        if b"auto".get(..name.len()).is_some_and(|auto| name.eq_ignore_ascii_case(auto)) {
            if !automatic {
                found.extend(order);
            }
            automatic = true;
        } else if let Some(encoding) = Encoding::find(name) {
            take(&mut found, encoding);
        } else {
            return Err(PStr::new(name));
        }
    }
    Ok(found)
}

/// The encodings that argument `n` lists, as an array or a text with commas.
pub(crate) fn encoding_list(cx: &mut Cx, n: u32, value: &Value) -> Res<Vec<&'static Encoding>> {
    let order = auto(settings(cx).language);
    let found = match value.view_deref() {
        View::Array(names) => {
            let mut all = Vec::new();
            let mut bad = None;
            let mut automatic = false;
            for name in names.values() {
                let name = name.copy_deref();
                let name = cx.to_string(&name)?;
                // An element of a list is one name; what follows a NUL in a bad one is not shown.
                match (name.eq_ignore_ascii_case(b"auto"), Encoding::find(&name)) {
                    (true, _) => {
                        if !automatic {
                            all.extend(&order);
                        }
                        automatic = true;
                    }
                    (false, Some(encoding)) => take(&mut all, encoding),
                    (false, None) => {
                        bad = Some(name);
                        break;
                    }
                }
            }
            bad.map_or(Ok(all), Err)
        }
        _ => split_list(&cx.to_string(value)?, &order),
    };
    match found {
        Ok(list) if list.is_empty() => Err(cx.arg_value_error(n, "must specify at least one encoding")),
        Ok(list) => Ok(list),
        Err(name) => {
            let message = [b"contains invalid encoding \"".as_slice(), up_to_nul(&name), b"\""];
            Err(cx.arg_value_error(n, message))
        }
    }
}

// ---- ini

pub fn language_changed(cx: &mut Cx, value: &[u8]) -> bool {
    let Some(language) = find_language(value) else { return false };
    settings(cx).language = language;
    true
}

/// An empty value gives way to the `general` setting.
fn set_encoding(cx: &mut Cx, value: &[u8], general: &str, set: fn(&mut Settings, &'static Encoding)) -> bool {
    let encoding = match value {
        [] => configured(cx, "", general),
        name => match find_output(up_to_nul(name)) {
            Some(encoding) => encoding,
            None => return false,
        },
    };
    set(settings(cx), encoding);
    true
}

fn warn_of_setting(cx: &mut Cx, before: &str, name: &[u8], after: &str) {
    // The setting does what it does whatever a handler of errors throws.
    let _ = cx.warning([before.as_bytes(), up_to_nul(name), after.as_bytes()]);
}

pub fn internal_encoding_changed(cx: &mut Cx, value: &[u8]) -> bool {
    // Said of the empty value too.
    let _ = cx.deprecated("Use of mbstring.internal_encoding is deprecated");
    if !set_encoding(cx, value, "internal_encoding", |s, e| s.internal = e) {
        warn_of_setting(cx, "Unknown encoding \"", value, "\" in ini setting");
        settings(cx).internal = Encoding::utf8();
    }
    true
}

pub fn http_input_changed(cx: &mut Cx, value: &[u8]) -> bool {
    let order = auto(settings(cx).language);
    match split_list(value, &order) {
        Ok(_) => {
            deprecated(cx, "mbstring.http_input", value);
            true
        }
        Err(name) => {
            warn_of_setting(cx, "INI setting contains invalid encoding \"", &name, "\"");
            false
        }
    }
}

pub fn http_output_changed(cx: &mut Cx, value: &[u8]) -> bool {
    deprecated(cx, "mbstring.http_output", value);
    set_encoding(cx, value, "output_encoding", |s, e| s.http_output = e)
}

pub fn detect_order_changed(cx: &mut Cx, value: &[u8]) -> bool {
    let order = auto(settings(cx).language);
    match split_list(value, &order) {
        Ok(list) => {
            settings(cx).detect_order = if list.is_empty() { default_order() } else { list };
            true
        }
        Err(name) => {
            warn_of_setting(cx, "INI setting contains invalid encoding \"", &name, "\"");
            false
        }
    }
}

fn substitute_setting(value: &[u8], known: u32) -> Option<Substitute> {
    Some(match value.to_ascii_lowercase().as_slice() {
        b"" => Substitute::default(),
        b"none" => Substitute::None,
        b"long" => Substitute::Long(known),
        b"entity" => Substitute::Entity(known),
        text => {
            let text = std::str::from_utf8(text).ok()?;
            let code = match text.strip_prefix("0x") {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => text.parse().ok()?,
            };
            Substitute::Char(char::from_u32(code)?.into())
        }
    })
}

fn set_substitute(cx: &mut Cx, substitute: Substitute) {
    let settings = settings(cx);
    settings.substitute = substitute;
    if let Substitute::Char(code) = substitute {
        settings.substitute_character = code;
    }
}

pub fn substitute_character_changed(cx: &mut Cx, value: &[u8]) -> bool {
    let known = settings(cx).substitute_character;
    match substitute_setting(value, known) {
        Some(substitute) => {
            set_substitute(cx, substitute);
            true
        }
        None => false,
    }
}

// ---- functions

pub fn mb_internal_encoding(cx: &mut Cx, name: Option<&PStr>) -> Res<Value> {
    if name.is_none() {
        return Ok(Value::from(settings(cx).internal.name));
    }
    let encoding = match name.and_then(|name| Encoding::find(up_to_nul(name))) {
        Some(encoding) => encoding,
        None => encoding(cx, 1, name)?,
    };
    settings(cx).internal = encoding;
    Ok(Value::from(true))
}

pub fn mb_http_output(cx: &mut Cx, name: Option<&PStr>) -> Res<Value> {
    if name.is_none() {
        return Ok(Value::from(settings(cx).http_output.name));
    }
    if name.is_some_and(|name| name.contains(&0)) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    let encoding = match name.and_then(|name| find_output(name)) {
        Some(encoding) => encoding,
        None => encoding(cx, 1, name)?,
    };
    settings(cx).http_output = encoding;
    Ok(Value::from(true))
}

/// Input is never converted, so only the lists of what is expected have an answer.
pub fn mb_http_input(cx: &mut Cx, ty: Option<&PStr>) -> Res<Value> {
    let expected = expected_input(cx);
    Ok(match ty.map(|t| t.as_bytes()) {
        Some(b"i" | b"I" | b"l" | b"L") if expected.is_empty() => Value::from(false),
        Some(b"i" | b"I") => Value::from(names(&expected)),
        Some(b"l" | b"L") => Value::from(expected.iter().map(|encoding| encoding.name).collect::<Vec<_>>().join(",")),
        None => match settings(cx).identified {
            Some(encoding) => Value::from(encoding.name),
            None => Value::from(false),
        },
        Some([kind @ (b'g' | b'G' | b'p' | b'P' | b'c' | b'C' | b's' | b'S')]) => {
            let kind = kind.to_ascii_lowercase();
            settings(cx).input.iter().find(|(of, _)| *of == kind).map_or(Value::from(false), |(_, found)| Value::from(found.name))
        }
        Some(_) => {
            let wanted = "must be one of \"G\", \"P\", \"C\", \"S\", \"I\", or \"L\"";
            return Err(cx.arg_value_error(1, wanted));
        }
    })
}

pub fn mb_language(cx: &mut Cx, name: Option<&PStr>) -> Res<Value> {
    let Some(name) = name else { return Ok(Value::from(settings(cx).language.name)) };
    match find_language(name) {
        Some(language) => {
            settings(cx).language = language;
            Ok(Value::from(true))
        }
        None => {
            // Stock PHP has forgotten the language then.
            settings(cx).language = &LANGUAGES[0];
            let message = [b"must be a valid language, \"".as_slice(), name, b"\" given"];
            Err(cx.arg_value_error(1, message))
        }
    }
}

fn substitute_value(substitute: Substitute) -> Value {
    match substitute {
        Substitute::Char(code) => Value::from(code),
        Substitute::None => Value::from("none"),
        Substitute::Long(_) => Value::from("long"),
        Substitute::Entity(_) => Value::from("entity"),
    }
}

pub fn mb_substitute_character(cx: &mut Cx, character: Option<&Value>) -> Res<Value> {
    let new = match character.map(Value::view_deref) {
        None | Some(View::Null | View::Undef) => return Ok(substitute_value(substitute(cx))),
        Some(View::Str(s)) => match s.to_ascii_lowercase().as_slice() {
            b"none" => Substitute::None,
            b"long" => Substitute::Long(settings(cx).substitute_character),
            b"entity" => Substitute::Entity(settings(cx).substitute_character),
            _ => return Err(cx.arg_value_error(1, "must be \"none\", \"long\", \"entity\" or a valid codepoint")),
        },
        Some(View::Int(code)) => match u32::try_from(code).ok().and_then(char::from_u32) {
            Some(code) => Substitute::Char(code.into()),
            None => return Err(cx.arg_value_error(1, "is not a valid codepoint")),
        },
        Some(_) => return Err(cx.arg_value_error(1, "is not a valid codepoint")),
    };
    set_substitute(cx, new);
    Ok(Value::from(true))
}

fn names(list: &[&'static Encoding]) -> PArray {
    PArray::from_values(list.iter().map(|e| Value::from(e.name)))
}

pub fn mb_detect_order(cx: &mut Cx, order: Option<&Value>) -> Res<Value> {
    match order.filter(|v| !v.deref().is_null()) {
        None => Ok(Value::from(names(&settings(cx).detect_order))),
        Some(value) => {
            let list = encoding_list(cx, 1, value)?;
            settings(cx).detect_order = list;
            Ok(Value::from(true))
        }
    }
}

pub fn mb_get_info(cx: &mut Cx, ty: &PStr) -> Res<Value> {
    let on_off = |on| Value::from(if on { "On" } else { "Off" });
    let translation = on_off(cx.ini.bool("mbstring.encoding_translation"));
    let strict = on_off(cx.ini.bool("mbstring.strict_detection"));
    let types = Value::from(cx.ini.str("mbstring.http_output_conv_mimetypes"));
    let s = settings(cx);
    let entries = [
        ("internal_encoding", Value::from(s.internal.name)),
        ("http_input", s.identified.map_or_else(Value::null, |encoding| Value::from(encoding.name))),
        ("http_output", Value::from(s.http_output.name)),
        ("http_output_conv_mimetypes", types),
        ("mail_charset", Value::from(s.language.mail_charset)),
        ("mail_header_encoding", Value::from(s.language.mail_header)),
        ("mail_body_encoding", Value::from(s.language.mail_body)),
        ("illegal_chars", Value::from(s.illegal)),
        ("encoding_translation", translation),
        ("language", Value::from(s.language.name)),
        ("detect_order", Value::from(names(&s.detect_order))),
        ("substitute_character", substitute_value(s.substitute)),
        ("strict_detection", strict),
    ];
    let wanted = ty.to_ascii_lowercase();
    if wanted == b"all" {
        let mut all = PArray::new();
        for (name, value) in entries.into_iter().filter(|(_, value)| !value.is_null()) {
            all.set_bytes(name.as_bytes(), value);
        }
        return Ok(Value::from(all));
    }
    match entries.into_iter().find(|(name, _)| name.as_bytes() == wanted) {
        Some((_, value)) => Ok(value),
        None => {
            cx.warning("argument #1 ($type) must be a valid type")?;
            Ok(Value::from(false))
        }
    }
}

pub fn mb_parse_str(cx: &mut Cx, string: &PStr, result: &PRef) -> Res<bool> {
    // PHP's parser here takes it for a text that ends at a NUL byte.
    let string = &PStr::new(jumbo_value::string::up_to_nul(string.as_bytes()));
    let variables = jumbo_ext_strings::url::variables(cx, string)?;
    let internal = settings(cx).internal;
    let order = auto(settings(cx).language);
    let from = split_list(cx.ini.str("mbstring.http_input"), &order).ok().filter(|list| !list.is_empty()).unwrap_or_else(|| vec![internal]);
    let converted = crate::conversion::convert_input(cx, &variables, internal, &from)?;
    result.set(Value::from(converted));
    Ok(!string.is_empty())
}
