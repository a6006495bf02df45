//! Transactions: the queries that begin and end them.

use jumbo_abi::{Cx, PStr, Res};

const CONSISTENT_SNAPSHOT: i64 = 1;
const READ_WRITE: i64 = 2;
const READ_ONLY: i64 = 4;

const AND_CHAIN: i64 = 1;
const AND_NO_CHAIN: i64 = 2;
const RELEASE: i64 = 4;
const NO_RELEASE: i64 = 8;

/// A transaction's name as a comment of the query, without what could end the comment.
fn comment(cx: &mut Cx, name: Option<&PStr>) -> Res<Vec<u8>> {
    let Some(name) = name else { return Ok(Vec::new()) };
    let fits = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b' ' | b'=');
    let kept: Vec<u8> = name.as_bytes().iter().copied().filter(|b| fits(b)).collect();
    if kept.len() < name.len() {
        cx.warning("Transaction name has been truncated, since it can only contain the A-Z, a-z, 0-9, \"\\\", \"-\", \"_\", and \"=\" characters")?;
    }
    Ok([b" /*".as_slice(), &kept, b"*/"].concat())
}

/// `server`: the version's number. `None`: the server cannot do it; a warning was given.
pub fn begin(cx: &mut Cx, flags: i64, name: Option<&PStr>, server: i64) -> Res<Option<Vec<u8>>> {
    let mut modes: Vec<&[u8]> = Vec::new();
    if flags & CONSISTENT_SNAPSHOT != 0 {
        modes.push(b"WITH CONSISTENT SNAPSHOT");
    }
    if flags & (READ_WRITE | READ_ONLY) != 0 {
        if server < 50605 {
            cx.warning("This server version doesn't support 'READ WRITE' and 'READ ONLY'. Minimum 5.6.5 is required")?;
            return Ok(None);
        }
        modes.push(if flags & READ_WRITE != 0 { b"READ WRITE" } else { b"READ ONLY" });
    }
    let comment = comment(cx, name)?;
    Ok(Some([b"START TRANSACTION".as_slice(), &comment, b" ", &modes.join(b", ".as_slice())].concat()))
}

pub fn end(cx: &mut Cx, word: &str, flags: i64, name: Option<&PStr>) -> Res<Vec<u8>> {
    let mut sql = word.as_bytes().to_vec();
    sql.extend(comment(cx, name)?);
    if flags & AND_CHAIN != 0 && flags & AND_NO_CHAIN == 0 {
        sql.extend_from_slice(b" AND CHAIN");
    } else if flags & AND_NO_CHAIN != 0 && flags & AND_CHAIN == 0 {
        sql.extend_from_slice(b" AND NO CHAIN");
    }
    if flags & RELEASE != 0 && flags & NO_RELEASE == 0 {
        sql.extend_from_slice(b" RELEASE");
    } else if flags & NO_RELEASE != 0 && flags & RELEASE == 0 {
        sql.extend_from_slice(b" NO RELEASE");
    }
    Ok(sql)
}
