//! Encodings, digests and escaping.

use crate::pure::{digest, encode, escape};
use crate::string::charlist;
use jumbo_abi::stream::{self, OpenOptions, StreamHandle};
use jumbo_abi::{Cx, OrFalse, PStr, Res, Work};

pub fn base64_encode(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(encode::base64_encode(string)?)
}

pub fn base64_decode(_cx: &mut Cx, string: &PStr, strict: bool) -> Res<OrFalse<PStr>> {
    Ok(OrFalse(encode::base64_decode(string, strict)?))
}

pub fn bin2hex(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(encode::hex_encode(string)?)
}

pub fn hex2bin(cx: &mut Cx, string: &PStr) -> Res<OrFalse<PStr>> {
    match encode::hex_decode(string)? {
        Ok(bytes) => Ok(OrFalse(Some(bytes))),
        Err(error) => {
            cx.warning(error.message())?;
            Ok(OrFalse::FALSE)
        }
    }
}

fn digest_text(digest: &[u8], binary: bool) -> Res<PStr> {
    Ok(if binary { PStr::new(digest) } else { encode::hex_encode(digest)? })
}

pub fn md5(cx: &mut Cx, string: &PStr, binary: bool) -> Res<PStr> {
    let mut running = digest::RunningMd5::default();
    Work::new(cx).pieces(string, |piece| running.update(piece))?;
    digest_text(&running.finish(), binary)
}

pub fn sha1(cx: &mut Cx, string: &PStr, binary: bool) -> Res<PStr> {
    let mut running = digest::RunningSha1::default();
    Work::new(cx).pieces(string, |piece| running.update(piece))?;
    digest_text(&running.finish(), binary)
}

pub fn crc32(cx: &mut Cx, string: &PStr) -> Res<i64> {
    let mut running = digest::RunningCrc32::default();
    Work::new(cx).pieces(string, |piece| running.update(piece))?;
    Ok(i64::from(running.finalize()))
}

pub fn utf8_encode(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(encode::latin1_to_utf8(string)?)
}

pub fn utf8_decode(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(encode::utf8_to_latin1(string)?)
}

pub fn quoted_printable_encode(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(encode::quoted_printable_encode(string)?)
}

pub fn quoted_printable_decode(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(encode::quoted_printable_decode(string)?)
}

pub fn convert_uuencode(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    // Without data only the line that ends it remains.
    if string.is_empty() { Ok(PStr::new(b"`\n")) } else { Ok(encode::uuencode(string)?) }
}

pub fn convert_uudecode(cx: &mut Cx, string: &PStr) -> Res<OrFalse<PStr>> {
    match encode::uudecode(string)? {
        Some(data) if !string.is_empty() => Ok(OrFalse(Some(data))),
        _ => {
            cx.warning("Argument #1 ($data) is not a valid uuencoded string")?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn addslashes(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(escape::add_slashes(string)?.unwrap_or_else(|| string.clone()))
}

pub fn stripslashes(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(escape::strip_slashes(string)?.unwrap_or_else(|| string.clone()))
}

pub fn addcslashes(cx: &mut Cx, string: &PStr, characters: &PStr) -> Res<PStr> {
    if string.is_empty() || characters.is_empty() {
        return Ok(string.clone());
    }
    let set = charlist(cx, characters)?;
    Ok(escape::add_c_slashes(string, &set)?)
}

pub fn stripcslashes(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(escape::strip_c_slashes(string)?)
}

pub fn quotemeta(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(escape::quote_meta(string)?)
}

fn without_nul(cx: &mut Cx, string: &PStr) -> Res<()> {
    if string.contains(&0) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    Ok(())
}

/// What the system takes as the arguments of a command, in bytes.
const SHELL_MAX: usize = 2_097_152;

fn shell_length(cx: &mut Cx, what: &str, len: usize) -> Res<()> {
    if len + 3 > SHELL_MAX {
        return Err(cx.value_error(format!("{what} exceeds the allowed length of {SHELL_MAX} bytes")));
    }
    Ok(())
}

pub fn escapeshellarg(cx: &mut Cx, arg: &PStr) -> Res<PStr> {
    without_nul(cx, arg)?;
    shell_length(cx, "Argument", arg.len())?;
    let escaped = escape::shell_argument(arg)?;
    shell_length(cx, "Escaped argument", escaped.len())?;
    Ok(escaped)
}

pub fn escapeshellcmd(cx: &mut Cx, command: &PStr) -> Res<PStr> {
    without_nul(cx, command)?;
    shell_length(cx, "Command", command.len())?;
    let escaped = escape::shell_command(command)?;
    shell_length(cx, "Escaped command", escaped.len())?;
    Ok(escaped)
}

/// Gives `update` what a file has, piece by piece; false when it could not be opened, which is reported.
fn read_file(cx: &mut Cx, filename: &PStr, mut update: impl FnMut(&[u8])) -> Res<bool> {
    const READ_BYTES: usize = 65_536;
    without_nul(cx, filename)?;
    let options = OpenOptions { quiet: false, use_include_path: false, context: None, for_include: false };
    let Some(resource) = stream::open(cx, filename, b"rb", &options)? else { return Ok(false) };
    if let Some(handle) = resource.native::<StreamHandle>() {
        while let Some(bytes) = handle.read(cx, READ_BYTES)?.filter(|b| !b.is_empty()) {
            update(&bytes);
            cx.check()?;
        }
        handle.close(cx)?;
    }
    resource.close();
    Ok(true)
}

pub fn md5_file(cx: &mut Cx, filename: &PStr, binary: bool) -> Res<OrFalse<PStr>> {
    let mut running = digest::RunningMd5::default();
    let read = read_file(cx, filename, |bytes| running.update(bytes))?;
    Ok(OrFalse(if read { Some(digest_text(&running.finish(), binary)?) } else { None }))
}

pub fn sha1_file(cx: &mut Cx, filename: &PStr, binary: bool) -> Res<OrFalse<PStr>> {
    let mut running = digest::RunningSha1::default();
    let read = read_file(cx, filename, |bytes| running.update(bytes))?;
    Ok(OrFalse(if read { Some(digest_text(&running.finish(), binary)?) } else { None }))
}
