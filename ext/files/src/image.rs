//! getimagesize: what kind of image a file is, and how large. The formats' heads are read in [`head`].

mod head;

use crate::file::{context_of, finish, handle_of, open_argument};
use head::{Found, Image, Kind};
use jumbo_abi::{Cx, Message, OrFalse, PArray, PRef, PStr, Res, Value};

pub fn getimagesize(cx: &mut Cx, filename: &PStr, image_info: Option<&PRef>) -> Res<OrFalse<PArray>> {
    if let Some(info) = image_info {
        info.set(Value::empty_array());
    }
    let context = context_of(cx, None, 1)?;
    let Some(resource) = open_argument(cx, filename, 1, b"rb", false, context)? else { return Ok(OrFalse::FALSE) };
    let bytes = match handle_of(&resource) {
        Some(handle) => handle.read_all(cx, None)?.unwrap_or_else(PStr::empty),
        None => PStr::empty(),
    };
    finish(cx, &resource)?;
    answer(cx, bytes.as_bytes(), filename.as_bytes(), image_info)
}

pub fn getimagesizefromstring(cx: &mut Cx, string: &PStr, image_info: Option<&PRef>) -> Res<OrFalse<PArray>> {
    if let Some(info) = image_info {
        info.set(Value::empty_array());
    }
    answer(cx, string.as_bytes(), string.as_bytes(), image_info)
}

fn answer(cx: &mut Cx, bytes: &[u8], name: &[u8], image_info: Option<&PRef>) -> Res<OrFalse<PArray>> {
    let mut sections = image_info.map(|_| Vec::new());
    let mut told = Ok(());
    let found = head::read(bytes, sections.as_mut(), &mut |count| {
        if told.is_ok() {
            told = cx.warning(format_args!("Corrupt JPEG data: {count} extraneous bytes before marker"));
        }
    });
    told?;
    if let (Some(info), Some(sections)) = (image_info, sections) {
        let mut array = PArray::new();
        for (number, content) in sections {
            array.set_bytes(&format_args!("APP{number}").to_str()?, PStr::new(content));
        }
        info.set(Value::from(array));
    }
    let Image { kind, width, height, bits, channels } = match found {
        Found::Image(image) => image,
        Found::Nothing => return Ok(OrFalse::FALSE),
        Found::TooShort => {
            cx.notice([b"Error reading from ".as_slice(), name, b"!"])?;
            return Ok(OrFalse::FALSE);
        }
        Found::BrokenPng => {
            cx.warning("PNG file corrupted by ASCII conversion")?;
            return Ok(OrFalse::FALSE);
        }
    };
    let mut array = PArray::new();
    array.append(i64::from(width));
    array.append(i64::from(height));
    array.append(kind as i64);
    array.append(format_args!("width=\"{}\" height=\"{}\"", width as i32, height as i32).to_str()?);
    if bits != 0 {
        array.set_bytes(b"bits", i64::from(bits));
    }
    if channels != 0 {
        array.set_bytes(b"channels", i64::from(channels));
    }
    array.set_bytes(b"mime", PStr::new(mime_type(kind as i64).as_bytes()));
    Ok(OrFalse(Some(array)))
}

fn mime_type(kind: i64) -> &'static str {
    match kind {
        1 => "image/gif",
        2 => "image/jpeg",
        3 => "image/png",
        4 | 13 => "application/x-shockwave-flash",
        5 => "image/psd",
        6 => "image/bmp",
        7 | 8 => "image/tiff",
        10 => "image/jp2",
        14 => "image/iff",
        15 => "image/vnd.wap.wbmp",
        16 => "image/xbm",
        17 => "image/vnd.microsoft.icon",
        18 => "image/webp",
        19 => "image/avif",
        _ => "application/octet-stream",
    }
}

pub fn image_type_to_mime_type(_cx: &mut Cx, image_type: i64) -> PStr {
    PStr::new(mime_type(image_type).as_bytes())
}

pub fn image_type_to_extension(_cx: &mut Cx, image_type: i64, include_dot: bool) -> OrFalse<PStr> {
    let Some(kind) = Kind::from_number(image_type) else { return OrFalse::FALSE };
    let extension = match kind {
        Kind::Gif => ".gif",
        Kind::Jpeg => ".jpeg",
        Kind::Png => ".png",
        Kind::Swf | Kind::Swc => ".swf",
        Kind::Psd => ".psd",
        Kind::Bmp | Kind::Wbmp => ".bmp",
        Kind::TiffIi | Kind::TiffMm => ".tiff",
        Kind::Iff => ".iff",
        Kind::Jpc => ".jpc",
        Kind::Jp2 => ".jp2",
        Kind::Jpx => ".jpx",
        Kind::Jb2 => ".jb2",
        Kind::Xbm => ".xbm",
        Kind::Ico => ".ico",
        Kind::Webp => ".webp",
        Kind::Avif => ".avif",
    };
    let text = if include_dot { extension } else { &extension[1..] };
    OrFalse(Some(PStr::new(text.as_bytes())))
}
