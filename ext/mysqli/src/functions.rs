//! Functions that do not take an object first.

use crate::connect::{self, Arguments};
use crate::link::{Mysqli, text};
use jumbo_abi::{Cx, PArray, PObject, PRef, PStr, Res, Value};
use jumbo_ext_mysqlnd::stats::{ClientStatistics, Counters};
use jumbo_ext_mysqlnd::{CLIENT_INFO, CLIENT_VERSION, pool};

pub fn mysqli_connect(
    cx: &mut Cx,
    hostname: Option<&PStr>,
    username: Option<&PStr>,
    password: Option<&PStr>,
    database: Option<&PStr>,
    port: Option<i64>,
    socket: Option<&PStr>,
) -> Res<Value> {
    connect::new_connected(cx, &Arguments { hostname, username, password, database, port, socket, flags: 0 })
}

pub fn mysqli_init(cx: &mut Cx) -> Res<PObject> {
    let class = cx.builtin_class(b"mysqli");
    let object = cx.new_object(class)?;
    connect::init(cx, &object);
    Ok(object)
}

pub fn mysqli_connect_errno(cx: &mut Cx) -> i64 {
    i64::from(cx.state::<Mysqli>().connect_errno)
}

pub fn mysqli_connect_error(cx: &mut Cx) -> Option<PStr> {
    cx.state::<Mysqli>().connect_error.as_ref().map(|e| PStr::new(e))
}

pub fn mysqli_report(cx: &mut Cx, flags: i64) -> bool {
    cx.state::<Mysqli>().report_mode = flags;
    true
}

pub fn mysqli_debug(_cx: &mut Cx, _options: &PStr) -> bool {
    // As a release build of PHP: nothing is traced.
    true
}

pub fn mysqli_get_client_info(cx: &mut Cx, mysql: Option<&PObject>) -> Res<PStr> {
    if mysql.is_some() {
        cx.deprecated("Passing connection object as an argument is deprecated")?;
    }
    Ok(PStr::new(CLIENT_INFO.as_bytes()))
}

/// phpinfo's lines.
pub fn info(cx: &mut Cx) -> Vec<(String, String)> {
    let open = cx.state::<Mysqli>().open.clone();
    let line = |name: &str, value: String| (name.to_owned(), value);
    vec![
        line("MysqlI Support", "enabled".to_owned()),
        line("Client API library version", CLIENT_INFO.to_owned()),
        line("Active Persistent Links", open.persistent.get().to_string()),
        line("Inactive Persistent Links", pool::idle_count().to_string()),
        line("Active Links", (open.links.get() - open.persistent.get()).to_string()),
    ]
}

pub fn mysqli_get_client_version(_cx: &mut Cx) -> i64 {
    CLIENT_VERSION
}

pub fn mysqli_thread_safe(_cx: &mut Cx) -> bool {
    true
}

/// Counters as PHP gives them: strings.
pub fn counters(all: &Counters) -> PArray {
    let mut array = PArray::with_hash_capacity(jumbo_ext_mysqlnd::stats::NAMES.len());
    for (name, n) in all.all() {
        array.set_sym(name.as_bytes(), text(n.to_string().as_bytes()));
    }
    array
}

pub fn mysqli_get_client_stats(cx: &mut Cx) -> PArray {
    let all = cx.state::<ClientStatistics>().0.clone();
    counters(&all)
}

pub fn mysqli_get_links_stats(cx: &mut Cx) -> PArray {
    let open = cx.state::<Mysqli>().open.clone();
    let mut array = PArray::new();
    array.set_sym(b"total", open.links.get());
    array.set_sym(b"active_plinks", open.persistent.get());
    array.set_sym(b"cached_plinks", pool::idle_count() as i64);
    array
}

pub fn mysqli_poll(cx: &mut Cx, read: &PRef, error: &PRef, reject: &PRef, seconds: i64, microseconds: i64) -> Res<Value> {
    crate::poll::poll(cx, read, error, reject, seconds, microseconds)
}
