//! Connecting: `mysqli_connect`, the constructor, `real_connect`; persistent connections.

use crate::link::{Link, Mysqli, Status, link_of, on, raise_warnings, report_error, set_link};
use jumbo_abi::{Cx, PObject, PStr, Res, Value};
use jumbo_ext_mysqlnd::connection::lock;
use jumbo_ext_mysqlnd::error::ErrorInfo;
use jumbo_ext_mysqlnd::options::SignInAs;
use jumbo_ext_mysqlnd::packet::capability;
use jumbo_ext_mysqlnd::transport::Target;
use jumbo_ext_mysqlnd::{pool, stats};
use std::rc::Rc;

/// Where to connect to, and who; what is not given comes from the settings.
#[derive(Default)]
pub struct Arguments<'a> {
    pub hostname: Option<&'a PStr>,
    pub username: Option<&'a PStr>,
    pub password: Option<&'a PStr>,
    pub database: Option<&'a PStr>,
    pub port: Option<i64>,
    pub socket: Option<&'a PStr>,
    pub flags: i64,
}

struct Plan {
    persistent: bool,
    target: Target,
    who: SignInAs,
    key: Vec<u8>,
}

fn given_or(cx: &Cx, given: Option<&PStr>, setting: &str) -> Vec<u8> {
    given.map_or_else(|| cx.ini.str(setting).to_vec(), |s| s.as_bytes().to_vec())
}

impl Plan {
    fn of(cx: &mut Cx, arguments: &Arguments<'_>) -> Res<Plan> {
        let mut host = given_or(cx, arguments.hostname, "mysqli.default_host");
        let user = given_or(cx, arguments.username, "mysqli.default_user");
        let password = given_or(cx, arguments.password, "mysqli.default_pw");
        let database = arguments.database.map(|d| d.as_bytes().to_vec()).unwrap_or_default();
        let mut socket = arguments.socket.map(|s| s.as_bytes().to_vec()).unwrap_or_default();
        if socket.is_empty() {
            socket = cx.ini.str("mysqli.default_socket").to_vec();
        }
        let port = arguments.port.filter(|p| *p != 0).unwrap_or_else(|| cx.ini.int("mysqli.default_port"));
        let port = if port == 0 { 3306 } else { port as u16 };
        let mut persistent = false;
        if host.len() > 2 && host[..2].eq_ignore_ascii_case(b"p:") || host.eq_ignore_ascii_case(b"p:") {
            host.drain(..2);
            persistent = cx.ini.bool("mysqli.allow_persistent");
            if !persistent {
                cx.warning("Persistent connections are disabled. Downgrading to normal")?;
            }
        }
        let key = [host.as_slice(), port.to_string().as_bytes(), &socket, &user, &database, &password].join(&0);
        let target = if host.is_empty() || host == b"localhost" {
            let path = if socket.is_empty() { b"/tmp/mysql.sock".to_vec() } else { socket };
            Target::Local { path }
        } else {
            Target::Tcp { host, port }
        };
        // What these would allow is not for flags to decide.
        let mut flags = arguments.flags as u32 & !capability::MULTI_STATEMENTS;
        if !cx.ini.str("open_basedir").is_empty() {
            flags &= !capability::LOCAL_FILES;
        }
        Ok(Plan { persistent, target, who: SignInAs { user, password, database, flags }, key })
    }
}

/// A limit of links, when it is reached.
fn limit_reached(cx: &mut Cx, setting: &str, open: i64) -> Option<i64> {
    let most = cx.ini.int(setting);
    (most != -1 && open >= most).then_some(most)
}

/// Connects `link`. False: a warning was given; the error is that of the last connecting.
fn connect_link(cx: &mut Cx, link: &Rc<Link>, arguments: &Arguments<'_>) -> Res<bool> {
    let plan = Plan::of(cx, arguments)?;
    let open = cx.state::<Mysqli>().open.clone();
    if plan.persistent
        && let Some(most) = limit_reached(cx, "mysqli.max_persistent", open.persistent.get())
    {
        cx.warning(format!("Too many open persistent links ({most})"))?;
        return Ok(false);
    }
    if link.status.get() < Status::Connected
        && let Some(most) = limit_reached(cx, "mysqli.max_links", open.links.get())
    {
        cx.warning(format!("Too many open links ({most})"))?;
        return Ok(false);
    }
    if link.status.get() == Status::Connected {
        // What it is connected to now is given up; its options stay.
        let options = lock(&link.shared).map(|c| c.options.clone());
        link.end(true);
        link.status.set(Status::Initialized);
        if let (Some(options), Some(mut connection)) = (options, lock(&link.shared)) {
            connection.options = options;
        }
    }
    let allow_infile = cx.ini.bool("mysqli.allow_local_infile");
    let folder = cx.ini.str("mysqli.local_infile_directory").to_vec();
    let folder_is_barred = !folder.is_empty() && !jumbo_abi::stream::allowed(cx, &folder, false)?;
    if let Some(mut connection) = lock(&link.shared) {
        connection.options.local_infile = allow_infile;
        if folder_is_barred && connection.options.local_infile_directory.as_deref() == Some(&folder) {
            connection.options.local_infile_directory = None;
        }
    }
    if plan.persistent && reuse(cx, link, &plan)? {
        link.opened(Some(plan.key));
        return Ok(true);
    }
    let Plan { target, who, key, persistent } = plan;
    let fine = on(cx, &link.shared, false, |cx, connection| connection.connect(cx, &target, who))?;
    if fine {
        if persistent && let Some(connection) = lock(&link.shared) {
            connection.statistics.one("pconnect_success");
        }
        link.opened(persistent.then_some(key));
    }
    Ok(fine)
}

/// Takes a connection of the pool, made like new. False: there is none.
fn reuse(cx: &mut Cx, link: &Rc<Link>, plan: &Plan) -> Res<bool> {
    let client = cx.state::<stats::ClientStatistics>().0.clone();
    let collect = cx.ini.bool("mysqlnd.collect_statistics");
    while let Some(mut idle) = pool::take(&plan.key, stats::Statistics::new(client.clone(), collect)) {
        if let Some(now) = lock(&link.shared) {
            idle.options = now.options.clone();
        }
        if !idle.reset(cx)? {
            // The server has dropped it: the next one.
            continue;
        }
        idle.diagnostics.clear();
        idle.statistics.one("connection_reused");
        idle.statistics.one("pconnect_success");
        if let Some(mut connection) = lock(&link.shared) {
            *connection = idle;
            return Ok(true);
        }
        return Ok(false);
    }
    Ok(false)
}

/// Notes and reports why there is no connection.
fn report_failure(cx: &mut Cx, link: &Rc<Link>) -> Res<()> {
    let error = lock(&link.shared).map_or_else(ErrorInfo::default, |c| c.error.clone());
    if error.code == 0 {
        return Ok(());
    }
    let state = cx.state::<Mysqli>();
    state.connect_errno = error.code;
    state.connect_error = Some(error.message.clone());
    report_error(cx, error.code, error.state, &error.message)
}

fn forget_failure(cx: &mut Cx) {
    let state = cx.state::<Mysqli>();
    state.connect_errno = 0;
    state.connect_error = None;
}

/// Connects an object: with a new link, or with the one that it has (`keep`). The object has none when that fails, unless it had one.
pub fn connect(cx: &mut Cx, object: &PObject, arguments: &Arguments<'_>, keep: bool) -> Res<bool> {
    let before = link_of(object);
    let link = match &before {
        Some(link) if keep || link.status.get() == Status::Initialized => link.clone(),
        _ => Link::new(cx),
    };
    forget_failure(cx);
    let fine = connect_link(cx, &link, arguments)?;
    if fine {
        raise_warnings(cx, &link.shared)?;
        set_link(object, Some(link));
        return Ok(true);
    }
    if before.is_none() {
        report_failure(cx, &link)?;
    } else {
        link.status.set(Status::Initialized);
        link.lost.set(!keep);
        report_failure(cx, &link)?;
    }
    Ok(false)
}

/// `mysqli_connect`: an object, or false.
pub fn new_connected(cx: &mut Cx, arguments: &Arguments<'_>) -> Res<Value> {
    let class = cx.builtin_class(b"mysqli");
    let object = cx.new_object(class)?;
    Ok(if connect(cx, &object, arguments, false)? { Value::from(object) } else { Value::from(false) })
}

/// An object that is not connected yet.
pub fn init(cx: &mut Cx, object: &PObject) {
    if link_of(object).is_none() {
        let link = Link::new(cx);
        set_link(object, Some(link));
    }
}
