//! LOAD DATA LOCAL INFILE: the server asks for a file, and gets it when the settings allow that.
//!
//! The server may ask for any file, whatever the query says: so this is off by default, and bound to a folder or to all files by settings.

use crate::connection::Connection;
use crate::error::code;
use jumbo_abi::stream::{self, OpenOptions, StreamHandle};
use jumbo_abi::{Cx, Res, blocking};
use std::os::unix::ffi::OsStrExt;

const FORBIDDEN: &str = "LOAD DATA LOCAL INFILE is forbidden, check related settings like mysqli.allow_local_infile|mysqli.local_infile_directory or PDO::MYSQL_ATTR_LOCAL_INFILE|PDO::MYSQL_ATTR_LOCAL_INFILE_DIRECTORY";

/// What one packet holds.
const CHUNK: usize = 32 * 1024;

/// May this file be read?
fn permitted(cx: &mut Cx, connection: &Connection, name: &[u8]) -> bool {
    if connection.options.local_infile {
        return true;
    }
    let Some(folder) = &connection.options.local_infile_directory else { return false };
    let mut real = |path: &[u8]| {
        let path = stream::path_buf(cx, path);
        blocking::at(cx, &path, |path| std::fs::canonicalize(path)).ok()
    };
    match (real(folder), real(name)) {
        (Some(folder), Some(file)) => file.starts_with(&folder) && file.as_os_str().as_bytes() != folder.as_os_str().as_bytes(),
        _ => false,
    }
}

/// Sends the file, or nothing; the server answers in both cases. False: an error is set.
pub fn send_file(connection: &mut Connection, cx: &mut Cx, name: &[u8]) -> Res<bool> {
    let fault = if !permitted(cx, connection, name) {
        Some((code::INFILE_FORBIDDEN, FORBIDDEN.to_owned()))
    } else {
        match stream::open(cx, name, b"rb", &OpenOptions { quiet: true, ..OpenOptions::default() })? {
            None => {
                let text = format!("Can't find file '{:.511}'.", String::from_utf8_lossy(name));
                Some((2, text))
            }
            Some(file) => {
                if let Some(handle) = file.native::<StreamHandle>() {
                    loop {
                        let Some(part) = handle.read(cx, CHUNK)?.filter(|p| !p.is_empty()) else { break };
                        if !connection.send(cx, part.as_bytes())? {
                            return Ok(false);
                        }
                    }
                }
                None
            }
        }
    };
    // The end of the file.
    if !connection.send(cx, b"")? {
        return Ok(false);
    }
    if let Some((code, text)) = fault {
        connection.own_error(code, text);
        return Ok(false);
    }
    Ok(true)
}
