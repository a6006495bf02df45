//! What `mysqli` objects hold, the instance's settings, and how errors are reported.

use jumbo_abi::{ClassPtr, Cx, Level, PObject, PStr, Res, Stop, Value};
use jumbo_ext_mysqlnd::connection::{Connection, Shared, lock};
use jumbo_ext_mysqlnd::error::ErrorInfo;
use jumbo_ext_mysqlnd::packet::status;
use jumbo_ext_mysqlnd::{pool, stats};
use jumbo_value::Native;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Bits of the report mode.
pub mod report {
    pub const ERROR: i64 = 1;
    pub const STRICT: i64 = 2;
    pub const INDEX: i64 = 4;
}

/// The instance's settings and what it knows of its connections.
pub struct Mysqli {
    pub report_mode: i64,
    pub connect_errno: u32,
    pub connect_error: Option<Vec<u8>>,
    /// Links that are open now, persistent ones included.
    pub open: Rc<Open>,
}

/// Counts of open links.
#[derive(Default)]
pub struct Open {
    pub links: Cell<i64>,
    pub persistent: Cell<i64>,
}

impl Default for Mysqli {
    fn default() -> Mysqli {
        Mysqli { report_mode: report::ERROR | report::STRICT, connect_errno: 0, connect_error: None, open: Rc::default() }
    }
}

/// How far an object has come. An object that was closed, or never constructed, has no link at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Exists, is not connected.
    Initialized,
    Connected,
}

/// A connection as an object has it.
pub struct Link {
    pub shared: Shared,
    pub status: Cell<Status>,
    /// Under what it goes back to the pool.
    persistent: RefCell<Option<Vec<u8>>>,
    open: Rc<Open>,
    counted: Cell<bool>,
    /// How the result of a query that was sent without waiting is wanted.
    pub async_mode: Cell<i64>,
    /// A constructor that ran again has failed to connect it: there is nothing that could be closed.
    pub lost: Cell<bool>,
}

impl Link {
    pub fn new(cx: &mut Cx) -> Rc<Link> {
        let client = cx.state::<stats::ClientStatistics>().0.clone();
        let collect = cx.ini.bool("mysqlnd.collect_statistics");
        let mut connection = Connection::new(stats::Statistics::new(client, collect));
        connection.options.local_infile = cx.ini.bool("mysqli.allow_local_infile");
        let folder = cx.ini.str("mysqli.local_infile_directory");
        connection.options.local_infile_directory = (!folder.is_empty()).then(|| folder.to_vec());
        let open = cx.state::<Mysqli>().open.clone();
        Rc::new(Link {
            shared: Rc::new(RefCell::new(connection)),
            status: Cell::new(Status::Initialized),
            persistent: RefCell::default(),
            open,
            counted: Cell::new(false),
            async_mode: Cell::new(0),
            lost: Cell::new(false),
        })
    }
    /// It is open now.
    pub fn opened(&self, key: Option<Vec<u8>>) {
        self.status.set(Status::Connected);
        if !self.counted.replace(true) {
            self.open.links.set(self.open.links.get() + 1);
            if key.is_some() {
                self.open.persistent.set(self.open.persistent.get() + 1);
            }
        }
        self.persistent.replace(key);
    }

    /// Closes it, or gives it back to the pool. What still holds the connection finds it closed.
    pub fn end(&self, explicit: bool) {
        if self.counted.replace(false) {
            self.open.links.set(self.open.links.get() - 1);
            if self.persistent.borrow().is_some() {
                self.open.persistent.set(self.open.persistent.get() - 1);
            }
        }
        let Some(mut connection) = lock(&self.shared) else { return };
        if let Some(key) = self.persistent.take()
            && connection.is_reusable()
        {
            let fresh = Connection::new(stats::Statistics::new(Rc::default(), false));
            let kept = std::mem::replace(&mut *connection, fresh);
            pool::give_back(&key, kept);
            return;
        }
        connection.close(explicit);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.end(false);
    }
}

/// The native state of `mysqli` objects.
#[derive(Default)]
pub struct State(pub RefCell<Option<Rc<Link>>>);

impl Native for State {}

impl Drop for State {
    fn drop(&mut self) {
        // Statements that still hold the link find it closed, as in PHP.
        if let Some(link) = self.0.take() {
            link.end(false);
        }
    }
}

fn closed(cx: &mut Cx, object: &PObject) -> Stop {
    let name = ClassPtr::of(object).name.clone();
    cx.throw_error([name.as_bytes(), b" object is already closed"].concat())
}

pub fn not_initialized(cx: &mut Cx, object: &PObject) -> Stop {
    let name = ClassPtr::of(object).name.clone();
    cx.throw_error([name.as_bytes(), b" object is not fully initialized"].concat())
}

/// What an object holds, or an Error.
pub fn held<T>(cx: &mut Cx, object: &PObject, found: Option<T>) -> Res<T> {
    found.ok_or_else(|| closed(cx, object))
}

pub fn link_of(object: &PObject) -> Option<Rc<Link>> {
    object.native::<State>()?.0.borrow().clone()
}

/// The link of an object that must have come so far.
pub fn link_at(cx: &mut Cx, object: &PObject, least: Status) -> Res<Rc<Link>> {
    let found = link_of(object);
    let link = held(cx, object, found)?;
    if link.status.get() < least {
        return Err(not_initialized(cx, object));
    }
    Ok(link)
}

/// The link of an object that must be connected.
pub fn link(cx: &mut Cx, object: &PObject) -> Res<Rc<Link>> {
    link_at(cx, object, Status::Connected)
}

pub fn set_link(object: &PObject, link: Option<Rc<Link>>) {
    if let Some(state) = object.native::<State>() {
        let before = state.0.replace(link);
        drop(before);
    }
}

/// Works on a connection; then the client's warnings are raised. `otherwise`: it is in use further up the stack.
pub fn on<T>(cx: &mut Cx, shared: &Shared, otherwise: T, work: impl FnOnce(&mut Cx, &mut Connection) -> Res<T>) -> Res<T> {
    let result = match lock(shared) {
        Some(mut connection) => work(cx, &mut connection),
        None => return Ok(otherwise),
    };
    raise_warnings(cx, shared)?;
    result
}

/// Raises what the client has to complain about.
pub fn raise_warnings(cx: &mut Cx, shared: &Shared) -> Res<()> {
    let warnings = lock(shared).map(|mut c| std::mem::take(&mut c.diagnostics)).unwrap_or_default();
    for text in warnings {
        cx.warning(text)?;
    }
    Ok(())
}

/// Looks at a connection; `None` when it is in use.
pub fn look<T>(shared: &Shared, with: impl FnOnce(&Connection) -> T) -> Option<T> {
    lock(shared).map(|c| with(&c))
}

/// Number of a method's parameter as messages count it: functions have the object as their first.
pub fn arg(cx: &Cx, n: u32) -> u32 {
    let function = cx.engine().active_function(cx);
    n + u32::from(function.is_some_and(|f| f.scope.is_none()))
}

/// A new exception, or a warning, by the report mode.
pub fn report_error(cx: &mut Cx, code: u32, state: [u8; 5], message: &[u8]) -> Res<()> {
    if cx.state::<Mysqli>().report_mode & report::STRICT != 0 {
        return Err(exception(cx, code, state, message));
    }
    let head = format!("({}/{code}): ", String::from_utf8_lossy(&state));
    cx.warning([head.as_bytes(), message].concat())
}

fn exception(cx: &mut Cx, code: u32, state: [u8; 5], message: &[u8]) -> Stop {
    let class = cx.builtin_class(b"mysqli_sql_exception");
    let made = cx.new_object(class).and_then(|object| {
        use jumbo_abi::throwable::slots;
        object.set_slot(slots::MESSAGE, Value::from(PStr::new(message)));
        object.set_slot(slots::CODE, Value::from(i64::from(code)));
        cx.write_property(&object, b"sqlstate", PStr::new(&state))?;
        Ok(object)
    });
    match made {
        Ok(object) => cx.throw_object(object),
        Err(stop) => stop,
    }
}

/// Reports an error when there is one and errors are reported.
pub fn report_info(cx: &mut Cx, info: &ErrorInfo) -> Res<()> {
    if info.code == 0 || cx.state::<Mysqli>().report_mode & report::ERROR == 0 {
        return Ok(());
    }
    report_error(cx, info.code, info.state, &info.message)
}

/// Reports the connection's last error, if any.
pub fn report_link(cx: &mut Cx, shared: &Shared) -> Res<()> {
    if cx.state::<Mysqli>().report_mode & report::ERROR == 0 {
        return Ok(());
    }
    let Some(info) = look(shared, |c| c.error.clone()) else { return Ok(()) };
    report_info(cx, &info)
}

/// Complains about queries without an index, when the report mode says so.
pub fn report_index(cx: &mut Cx, sql: &[u8], server_status: u16) -> Res<()> {
    if cx.state::<Mysqli>().report_mode & report::INDEX == 0 {
        return Ok(());
    }
    let what: &[u8] = match server_status {
        s if s & status::NO_GOOD_INDEX_USED != 0 => b"Bad index",
        s if s & status::NO_INDEX_USED != 0 => b"No index",
        _ => return Ok(()),
    };
    report_error(cx, 0, *b"00000", &[what, b" used in query/prepared statement ", sql].concat())
}

/// A count as PHP gives it: what does not fit is a string, no count is -1.
pub fn count(n: u64) -> Value {
    match i64::try_from(n) {
        Ok(n) if n < i64::MAX => Value::from(n),
        _ if n == u64::MAX => Value::from(-1i64),
        _ => Value::from(PStr::new(n.to_string().as_bytes())),
    }
}

pub fn text(bytes: &[u8]) -> Value {
    Value::from(PStr::new(bytes))
}

/// `error_list`.
pub fn error_list(info: &ErrorInfo) -> jumbo_abi::PArray {
    let mut list = jumbo_abi::PArray::new();
    for error in &info.list {
        let mut entry = jumbo_abi::PArray::new();
        entry.set_sym(b"errno", i64::from(error.code));
        entry.set_sym(b"sqlstate", text(&error.state));
        entry.set_sym(b"error", text(&error.message));
        list.append(entry);
    }
    list
}

/// A warning without the name of a function.
pub fn bare_warning(cx: &mut Cx, message: &str) -> Res<()> {
    cx.raise(Level::Warning, message.as_bytes())
}
