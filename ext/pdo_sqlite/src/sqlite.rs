//! The class `Pdo\Sqlite`: functions written in PHP, extensions, large objects.

use crate::driver::{SqliteConnection, sql_error};
use jumbo_abi::stream::{Opened, to_resource};
use jumbo_abi::{Callable, Cx, Level, OrFalse, PObject, PStr, Res, Value};
use jumbo_ext_pdo::connection::with_driver;
use jumbo_ext_sqlite3::sys::{Blob, BlobStream, FinishRows, PhpCallable, SQLITE_OPEN_READWRITE, WrongOrder};
use std::rc::Rc;

pub fn create_function(cx: &mut Cx, this: &PObject, name: &PStr, callback: &Callable, arguments: i64, flags: i64) -> Res<bool> {
    with_driver(cx, this, |_, _, driver: &SqliteConnection| {
        Ok(driver.database.create_function(name.as_bytes(), arguments, flags, PhpCallable::new(callback)))
    })
}

pub fn create_aggregate(cx: &mut Cx, this: &PObject, name: &PStr, step: &Callable, finish: &Callable, arguments: i64) -> Res<bool> {
    with_driver(cx, this, |_, _, driver: &SqliteConnection| {
        Ok(driver.database.create_aggregate(name.as_bytes(), arguments, PhpCallable::new(step), PhpCallable::new(finish), FinishRows::OneMore))
    })
}

pub fn create_collation(cx: &mut Cx, this: &PObject, name: &PStr, callback: &Callable) -> Res<bool> {
    with_driver(cx, this, |_, _, driver: &SqliteConnection| {
        Ok(driver.database.create_collation(name.as_bytes(), PhpCallable::new(callback), WrongOrder::TypeError))
    })
}

pub fn load_extension(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<()> {
    if name.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    with_driver(cx, this, |cx, _, driver: &SqliteConnection| {
        let path = jumbo_abi::stream::absolute(cx, name.as_bytes());
        match driver.database.load_extension(cx, &path)? {
            Ok(()) => Ok(()),
            Err(_why) => {
                let text = [b"Unable to load extension \"".as_slice(), name.as_bytes(), b"\""].concat();
                Err(jumbo_ext_pdo::error::plain(cx, text))
            }
        }
    })
}

pub fn open_blob(
    cx: &mut Cx,
    this: &PObject,
    table: &PStr,
    column: &PStr,
    rowid: i64,
    database: Option<&PStr>,
    flags: i64,
) -> Res<OrFalse<Value>> {
    with_driver(cx, this, |cx, _, driver: &SqliteConnection| {
        let name = database.map_or(b"main".as_slice(), |d| d.as_bytes());
        let write = flags & i64::from(SQLITE_OPEN_READWRITE) != 0;
        let place = [name, table.as_bytes(), column.as_bytes()];
        match Blob::open(cx, &driver.database, place, rowid, write)? {
            Ok(blob) => {
                let opened = Opened::new(Rc::new(BlobStream::new(blob, write, "PDOSQLite")));
                let mode: &[u8] = if write { b"r+b" } else { b"rb" };
                Ok(OrFalse(Some(Value::from(to_resource(cx, opened, mode, None, "")))))
            }
            Err(failed) => {
                let error = sql_error(&failed);
                cx.raise(Level::Warning, &[b"Unable to open blob: ".as_slice(), &error.message].concat())?;
                Ok(OrFalse::FALSE)
            }
        }
    })
}
