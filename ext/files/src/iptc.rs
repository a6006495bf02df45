//! iptcparse and iptcembed: the IPTC block of JPEG files, in Photoshop's segment (APP13).

use crate::file::{finish, handle_of, open_argument, path_argument};
use jumbo_abi::{Cx, Key, Message, PArray, PStr, Res, Value, Work, blocking};
use jumbo_value::{OutOfMemory, PStrBuilder};
use std::path::Path;

/// What begins a data set.
const TAG: u8 = 0x1c;

/// One data set: record, number, content, and its whole length.
fn data_set(block: &[u8]) -> Option<(u8, u8, &[u8], usize)> {
    let [TAG, record, number, high, low, rest @ ..] = block else { return None };
    let (length, start) = if high & 0x80 == 0 {
        (usize::from(u16::from_be_bytes([*high, *low])), 5)
    } else {
        // An extended length: four bytes of it follow.
        let bytes: [u8; 4] = rest.get(..4)?.try_into().ok()?;
        (usize::try_from(u32::from_be_bytes(bytes)).ok()?, 9)
    };
    let end = length.checked_add(start)?;
    Some((*record, *number, block.get(start..end)?, end))
}

pub fn iptcparse(cx: &mut Cx, iptc_block: &PStr) -> Res<Value> {
    let block = iptc_block.as_bytes();
    // What is before the first set of record 1 or 2 is the segment's head.
    let first = block.windows(2).position(|pair| pair[0] == TAG && matches!(pair[1], 1 | 2));
    let Some(mut at) = first else { return Ok(Value::from(false)) };
    let work = &mut Work::new(cx);
    work.spend(at)?;
    let mut found = PArray::new();
    while let Some((record, number, content, length)) = block.get(at..).and_then(data_set) {
        let key = Key::from_bytes(format_args!("{record}#{number:03}").to_str()?.as_bytes());
        found.with_slot(&key, |slot| {
            // Taken out, the list is grown in its place.
            let mut list = slot.take().as_array().cloned().unwrap_or_default();
            list.append(PStr::new(content));
            *slot = Value::from(list);
        });
        at += length;
        work.spend(length.max(SET_UNITS))?;
    }
    Ok(if found.is_empty() { Value::from(false) } else { Value::from(found) })
}

/// Work of a data set that is empty.
const SET_UNITS: usize = 20;

/// Markers of JPEG.
const START: u8 = 0xd8;
const END: u8 = 0xd9;
const SCAN: u8 = 0xda;
const APP0: u8 = 0xe0;
const APP1: u8 = 0xe1;
const APP13: u8 = 0xed;

/// The segment that carries an IPTC block.
fn put_segment(iptc: &[u8], out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
    let padded = iptc.len() + iptc.len() % 2;
    let length = (padded + 28).to_be_bytes();
    let own = iptc.len().to_be_bytes();
    out.extend(&[0xff, APP13, length[length.len() - 2], length[length.len() - 1]])?;
    out.extend(b"Photoshop 3.0\08BIM\x04\x04\0\0\0\0")?;
    out.extend(&own[own.len() - 2..])?;
    out.extend(iptc)?;
    out.fill(0, padded - iptc.len())
}

/// The picture with the block behind its first application segments, in the place of one that it had.
fn embedded(picture: &[u8], iptc: &[u8]) -> Result<Option<PStr>, OutOfMemory> {
    let Some(rest) = picture.strip_prefix(&[0xff, START]) else { return Ok(None) };
    let mut out = PStrBuilder::with_capacity(picture.len() + iptc.len() + SEGMENT_HEAD_MAX)?;
    out.extend(&[0xff, START])?;
    let mut written = false;
    let mut rest = rest;
    while let [0xff, marker, tail @ ..] = rest {
        let marker = *marker;
        if marker == 0xff {
            // Fill bytes before a marker.
            rest = &rest[1..];
            continue;
        }
        if !written && !matches!(marker, APP0 | APP1) {
            put_segment(iptc, &mut out)?;
            written = true;
        }
        if matches!(marker, SCAN | END) {
            break;
        }
        let length = match tail {
            [high, low, ..] => usize::from(u16::from_be_bytes([*high, *low])),
            _ => break,
        };
        let (whole, behind) = rest.split_at((length + 2).min(rest.len()));
        if marker != APP13 {
            out.extend(whole)?;
        }
        rest = behind;
    }
    out.extend(rest)?;
    Ok(Some(out.finish()))
}

/// What stands around the block in its segment.
const SEGMENT_HEAD_MAX: usize = 32;

pub fn iptcembed(cx: &mut Cx, iptc_data: &PStr, filename: &PStr, spool: i64) -> Res<Value> {
    /// What a segment's length, of two bytes, leaves for the block.
    const BLOCK_MAX: usize = 0xffff - 28 - 1;
    path_argument(cx, filename, 2)?;
    if iptc_data.len() > BLOCK_MAX {
        return Err(cx.arg_value_error(1, "is too large"));
    }
    let opened = {
        let path = jumbo_abi::stream::path_buf(cx, filename);
        !filename.is_empty() && blocking::at(cx, &path, Path::exists)
    };
    if !opened {
        cx.warning([b"Unable to open ".as_slice(), filename])?;
        return Ok(Value::from(false));
    }
    let Some(resource) = open_argument(cx, filename, 2, b"rb", false, None)? else { return Ok(Value::from(false)) };
    let path = jumbo_abi::stream::path_buf(cx, filename);
    if blocking::at(cx, &path, Path::is_dir) {
        // Opened, but with nothing to read.
        finish(cx, &resource)?;
        return Ok(Value::from(false));
    }
    let Some(handle) = handle_of(&resource) else { return Ok(Value::from(false)) };
    let picture = handle.read_all(cx, None)?.unwrap_or_else(PStr::empty);
    drop(handle);
    finish(cx, &resource)?;
    let Some(out) = embedded(&picture, iptc_data)? else { return Ok(Value::from(false)) };
    if spool > 0 {
        cx.write(&out)?;
    }
    Ok(if spool < 2 { Value::from(out) } else { Value::from(true) })
}
