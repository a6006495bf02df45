//! Formatted reading and writing of streams: CSV, fprintf, fscanf.

use jumbo_abi::stream::{stream_argument, stream_argument_as};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Value};
use jumbo_ext_strings::format::{Passing, formatted};
use jumbo_ext_strings::join::csv_fields;
use jumbo_ext_strings::pure::csv::Dialect;
use jumbo_value::{HeapVec, PStrBuilder};

/// The three characters of a CSV dialect; `first` is the number of the separator's argument.
pub fn dialect(cx: &mut Cx, separator: &PStr, enclosure: &PStr, escape: &PStr, first: u32) -> Res<Dialect> {
    let one = |cx: &mut Cx, text: &PStr, n: u32| match text.as_bytes() {
        [byte] => Ok(*byte),
        _ => Err(cx.arg_value_error(n, "must be a single character")),
    };
    let delimiter = one(cx, separator, first)?;
    let enclosure = one(cx, enclosure, first + 1)?;
    let escape = match escape.as_bytes() {
        [] => None,
        [byte] => Some(*byte),
        _ => return Err(cx.arg_value_error(first + 2, "must be empty or a single character")),
    };
    Ok(Dialect { delimiter, enclosure, escape })
}

pub fn fgetcsv(cx: &mut Cx, stream: &Value, length: Option<i64>, separator: &PStr, enclosure: &PStr, escape: Option<&PStr>) -> Res<OrFalse<PArray>> {
    let dialect = dialect(cx, separator, enclosure, escape.unwrap_or(&PStr::single_byte(b'\\')), 3)?;
    warn_default_escape(cx, escape)?;
    let limit = match length {
        Some(n) if !(0..=i64::MAX - 1).contains(&n) => return Err(cx.arg_value_error(2, format_args!("must be between 0 and {}", i64::MAX))),
        None | Some(0) => None,
        Some(n) => Some(n as usize),
    };
    let handle = stream_argument(cx, stream, 1)?;
    let Some(line) = handle.read_line(cx, limit)? else { return Ok(OrFalse::FALSE) };
    let fields = dialect.read(line.as_bytes(), || handle.read_line(cx, limit))?;
    Ok(OrFalse(Some(csv_fields(fields))))
}

/// PHP 8.4 wants to be told the escape character.
pub fn warn_default_escape(cx: &mut Cx, escape: Option<&PStr>) -> Res<()> {
    if escape.is_none() {
        cx.deprecated("the $escape parameter must be provided as its default value will change")?;
    }
    Ok(())
}

/// One line of fputcsv. It is written in spite of exceptions of conversions, which wait for [`Cx::unless_thrown`].
pub fn csv_line(cx: &mut Cx, fields: &PArray, dialect: &Dialect, eol: &[u8]) -> Res<PStr> {
    let mut line = PStrBuilder::new();
    for (n, (_, value)) in fields.entries().enumerate() {
        if n > 0 {
            line.push(dialect.delimiter)?;
        }
        dialect.write_field(&cx.text_despite(&value)?, &mut line)?;
    }
    line.extend(eol)?;
    Ok(line.finish())
}

pub fn fputcsv(
    cx: &mut Cx,
    stream: &Value,
    fields: &PArray,
    separator: &PStr,
    enclosure: &PStr,
    escape: Option<&PStr>,
    eol: &PStr,
) -> Res<OrFalse<i64>> {
    let dialect = dialect(cx, separator, enclosure, escape.unwrap_or(&PStr::single_byte(b'\\')), 3)?;
    warn_default_escape(cx, escape)?;
    let handle = stream_argument(cx, stream, 1)?;
    let line = csv_line(cx, fields, &dialect, eol.as_bytes())?;
    let written = handle.write(cx, &line)?;
    cx.unless_thrown(OrFalse(written.map(|n| n as i64)))
}

fn print(cx: &mut Cx, stream: &Value, template: &PStr, values: &[Value], passing: Passing) -> Res<i64> {
    let handle = stream_argument(cx, stream, 1)?;
    let out = formatted(cx, template.as_bytes(), values, passing)?;
    handle.write(cx, &out)?;
    cx.unless_thrown(out.len() as i64)
}

pub fn fprintf(cx: &mut Cx, stream: &Value, format: &PStr, values: &[Value]) -> Res<i64> {
    print(cx, stream, format, values, Passing::Arguments(2))
}

pub fn vfprintf(cx: &mut Cx, stream: &Value, format: &PStr, values: &PArray) -> Res<i64> {
    let list = HeapVec::collect(values.values().map(Value::copy_deref))?;
    print(cx, stream, format, &list, Passing::Array)
}

pub fn fscanf(cx: &mut Cx, stream: &Value, format: &PStr, vars: &[Value]) -> Res<Value> {
    let handle = stream_argument_as(cx, stream, 1, "File-Handle")?;
    let Some(line) = handle.read_line(cx, None)? else { return Ok(Value::from(false)) };
    jumbo_ext_strings::format::scanned(cx, line.as_bytes(), format.as_bytes(), vars)
}
