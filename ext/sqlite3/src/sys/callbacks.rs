//! SQL functions, aggregates, collations and the authorizer written in PHP: what SQLite calls.

use super::database::{Database, value_of};
use super::{bytes, optional_text};
use jumbo_abi::{Callable, ClassPtr, Cx, FnPtr, PStr, Res, Value, View};
use jumbo_value::PRef;
use libsqlite3_sys as ffi;
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::rc::{Rc, Weak};

/// A resolved callable whose parts are values, so that the cycle collector sees them.
#[derive(Clone)]
pub struct PhpCallable {
    function: FnPtr,
    class: Option<ClassPtr>,
    magic_name: Option<PStr>,
    this: Value,
    closure: Value,
    value: Value,
}

impl PhpCallable {
    pub fn new(callable: &Callable) -> PhpCallable {
        PhpCallable {
            function: callable.function,
            class: callable.class,
            magic_name: callable.magic_name.clone(),
            this: Value::from(callable.this.clone()),
            closure: Value::from(callable.closure.clone()),
            value: callable.value.clone(),
        }
    }
    fn callable(&self) -> Callable {
        Callable {
            function: self.function,
            this: self.this.as_object().cloned(),
            class: self.class,
            closure: self.closure.as_object().cloned(),
            magic_name: self.magic_name.clone(),
            value: self.value.clone(),
        }
    }
    pub fn call(&self, cx: &mut Cx, args: &[Value]) -> Res<Value> {
        let callable = self.callable();
        cx.call(&callable, args)
    }
    pub(super) fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.this);
        visit(&self.closure);
        visit(&self.value);
    }
}

/// What a collation's answer that is no int means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongOrder {
    Equal,
    /// A warning, and equal.
    Warning,
    TypeError,
}

/// What an aggregate's second function gets as number of rows: PDO counts one more, the class SQLite3 none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishRows {
    OneMore,
    Zero,
}

enum Kind {
    Function,
    Aggregate(RefCell<Option<PhpCallable>>, FinishRows),
    Collation(WrongOrder),
}

/// What SQLite keeps for a function.
pub(super) struct Callback {
    database: Weak<Database>,
    call: RefCell<Option<PhpCallable>>,
    kind: Kind,
}

impl Callback {
    pub fn function(database: Weak<Database>, call: PhpCallable) -> Callback {
        Callback { database, call: RefCell::new(Some(call)), kind: Kind::Function }
    }
    pub fn aggregate(database: Weak<Database>, step: PhpCallable, finish: PhpCallable, rows: FinishRows) -> Callback {
        Callback { database, call: RefCell::new(Some(step)), kind: Kind::Aggregate(RefCell::new(Some(finish)), rows) }
    }
    pub fn collation(database: Weak<Database>, call: PhpCallable, wrong: WrongOrder) -> Callback {
        Callback { database, call: RefCell::new(Some(call)), kind: Kind::Collation(wrong) }
    }
    fn each(&self, f: &mut dyn FnMut(&RefCell<Option<PhpCallable>>)) {
        f(&self.call);
        if let Kind::Aggregate(finish, _) = &self.kind {
            f(finish);
        }
    }
    pub fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.each(&mut |cell| {
            if let Ok(call) = cell.try_borrow()
                && let Some(call) = &*call
            {
                call.trace(visit);
            }
        });
    }
    pub fn release(&self) {
        self.each(&mut |cell| drop(cell.take()));
    }
}

/// An aggregate's memory between rows.
#[derive(Default)]
struct Group {
    value: Value,
    rows: i64,
}

/// # Safety
/// `db` is open; `callback` carries a count, which `destroy` gives back.
pub(super) unsafe fn register(db: *mut ffi::sqlite3, name: &CStr, arguments: c_int, flags: c_int, callback: *const Callback) -> c_int {
    // SAFETY: by contract.
    unsafe {
        let data = callback.cast_mut().cast();
        match (*callback).kind {
            Kind::Aggregate(..) => ffi::sqlite3_create_function_v2(
                db,
                name.as_ptr(),
                arguments,
                flags,
                data,
                None,
                Some(aggregate_step),
                Some(aggregate_finish),
                Some(destroy),
            ),
            _ => ffi::sqlite3_create_function_v2(db, name.as_ptr(), arguments, flags, data, Some(function), None, None, Some(destroy)),
        }
    }
}

/// # Safety
/// As [`register`]; without success the count stays the caller's.
pub(super) unsafe fn register_collation(db: *mut ffi::sqlite3, name: &CStr, callback: *const Callback) -> c_int {
    // SAFETY: by contract.
    unsafe {
        ffi::sqlite3_create_collation_v2(db, name.as_ptr(), ffi::SQLITE_UTF8, callback.cast_mut().cast(), Some(compare), Some(destroy))
    }
}

unsafe extern "C" fn destroy(data: *mut c_void) {
    // SAFETY: the count that SQLite was given.
    drop(unsafe { Rc::from_raw(data.cast_const().cast::<Callback>()) });
}

/// The callback of a function that runs, held for the call.
///
/// # Safety
/// `context` is that of a function registered here.
unsafe fn callback_of(context: *mut ffi::sqlite3_context) -> Rc<Callback> {
    // SAFETY: by contract: SQLite holds a count; another one is taken.
    unsafe {
        let pointer = ffi::sqlite3_user_data(context).cast_const().cast::<Callback>();
        Rc::increment_strong_count(pointer);
        Rc::from_raw(pointer)
    }
}

/// # Safety
/// What SQLite passes to a function.
unsafe fn arguments(count: c_int, values: *mut *mut ffi::sqlite3_value, to: &mut Vec<Value>) {
    for n in 0..usize::try_from(count).unwrap_or(0) {
        // SAFETY: by contract there are so many.
        to.push(unsafe { value_of(*values.add(n)) });
    }
}

/// What a result becomes in SQL.
enum Answer {
    Null,
    Int(i64),
    Float(f64),
    Text(PStr),
}

fn answer(cx: &mut Cx, value: &Value) -> Res<Answer> {
    Ok(match value.view_deref() {
        View::Undef | View::Null => Answer::Null,
        View::Int(i) => Answer::Int(i),
        View::Float(f) => Answer::Float(f),
        _ => Answer::Text(cx.to_string(&value.copy_deref())?),
    })
}

/// # Safety
/// `context` is that of a running function.
unsafe fn give(context: *mut ffi::sqlite3_context, answer: Option<Answer>) {
    // SAFETY: by contract; SQLite copies text.
    unsafe {
        match answer {
            Some(Answer::Null) => ffi::sqlite3_result_null(context),
            Some(Answer::Int(i)) => ffi::sqlite3_result_int64(context, i),
            Some(Answer::Float(f)) => ffi::sqlite3_result_double(context, f),
            Some(Answer::Text(text)) => {
                let bytes = text.as_bytes();
                let from = if bytes.is_empty() { c"".as_ptr() } else { bytes.as_ptr().cast() };
                ffi::sqlite3_result_text64(context, from, bytes.len() as u64, ffi::SQLITE_TRANSIENT(), ffi::SQLITE_UTF8 as u8);
            }
            None => ffi::sqlite3_result_error(context, c"failed to invoke callback".as_ptr(), -1),
        }
    }
}

unsafe extern "C" fn function(context: *mut ffi::sqlite3_context, count: c_int, values: *mut *mut ffi::sqlite3_value) {
    // SAFETY: SQLite calls a function that was registered here; panics stop in `run`.
    unsafe {
        let callback = callback_of(context);
        let call = callback.call.borrow().clone();
        let (Some(database), Some(call)) = (callback.database.upgrade(), call) else { return give(context, Some(Answer::Null)) };
        let result = database.run(|cx| {
            let mut args = Vec::new();
            arguments(count, values, &mut args);
            let result = call.call(cx, &args)?;
            answer(cx, &result)
        });
        give(context, result);
    }
}

/// The memory of the running group. `make`: for a step; otherwise there may be none.
///
/// # Safety
/// `context` is that of a running aggregate.
unsafe fn group(context: *mut ffi::sqlite3_context, make: bool) -> *mut *mut Group {
    let size = if make { size_of::<*mut Group>() as c_int } else { 0 };
    // SAFETY: by contract; zeroed memory of that size, or null.
    unsafe { ffi::sqlite3_aggregate_context(context, size).cast() }
}

unsafe extern "C" fn aggregate_step(context: *mut ffi::sqlite3_context, count: c_int, values: *mut *mut ffi::sqlite3_value) {
    // SAFETY: as `function`; the group's memory is SQLite's, its content ours until `aggregate_finish`.
    unsafe {
        let callback = callback_of(context);
        let place = group(context, true);
        if place.is_null() {
            ffi::sqlite3_result_error_nomem(context);
            return;
        }
        if (*place).is_null() {
            *place = Box::into_raw(Box::default());
        }
        let memory = *place;
        let call = callback.call.borrow().clone();
        let (Some(database), Some(call)) = (callback.database.upgrade(), call) else { return };
        (*memory).rows += 1;
        let (before, rows) = ((*memory).value.clone(), (*memory).rows);
        let result = database.run(|cx| {
            let mut args = vec![Value::from(PRef::new(before)), Value::from(rows)];
            arguments(count, values, &mut args);
            call.call(cx, &args)
        });
        match result {
            Some(value) => {
                let old = std::mem::replace(&mut (*memory).value, value.into_deref());
                drop(old);
            }
            None => ffi::sqlite3_result_error(context, c"failed to invoke callback".as_ptr(), -1),
        }
    }
}

unsafe extern "C" fn aggregate_finish(context: *mut ffi::sqlite3_context) {
    // SAFETY: as `aggregate_step`; the group's memory is taken back here, once.
    unsafe {
        let callback = callback_of(context);
        let place = group(context, false);
        let memory = match place.is_null() || (*place).is_null() {
            true => Group::default(),
            false => *Box::from_raw(std::mem::replace(&mut *place, std::ptr::null_mut())),
        };
        let Kind::Aggregate(finish, rows) = &callback.kind else { return };
        let rows = if *rows == FinishRows::OneMore { memory.rows + 1 } else { 0 };
        let finish = finish.borrow().clone();
        let (Some(database), Some(finish)) = (callback.database.upgrade(), finish) else { return give(context, Some(Answer::Null)) };
        let result = database.run(|cx| {
            let args = [Value::from(PRef::new(memory.value.clone())), Value::from(rows)];
            let result = finish.call(cx, &args)?;
            answer(cx, &result)
        });
        give(context, result);
    }
}

unsafe extern "C" fn compare(data: *mut c_void, len_a: c_int, a: *const c_void, len_b: c_int, b: *const c_void) -> c_int {
    // SAFETY: SQLite passes what was registered, and two texts with their lengths; panics stop in `run`.
    unsafe {
        let pointer = data.cast_const().cast::<Callback>();
        Rc::increment_strong_count(pointer);
        let callback = Rc::from_raw(pointer);
        let call = callback.call.borrow().clone();
        let (Some(database), Some(call)) = (callback.database.upgrade(), call) else { return 0 };
        let Kind::Collation(wrong) = callback.kind else { return 0 };
        let result = database.run(|cx| {
            let args = [Value::bytes(bytes(a.cast(), len_a)), Value::bytes(bytes(b.cast(), len_b))];
            let result = call.call(cx, &args)?;
            if let Some(order) = result.deref().as_int() {
                return Ok(order.signum() as c_int);
            }
            match wrong {
                WrongOrder::Equal => Ok(0),
                WrongOrder::Warning => {
                    cx.warning(
                        "An error occurred while invoking the compare callback (invalid return type).  Collation behaviour is undefined.",
                    )?;
                    Ok(0)
                }
                WrongOrder::TypeError => {
                    let given = jumbo_abi::args::type_name(&result);
                    let function = cx.active_function_name();
                    let text = [function.as_slice(), b"(): Return value of the callback must be of type int, ", &given, b" returned"];
                    Err(cx.type_error(text.concat()))
                }
            }
        });
        result.unwrap_or(0)
    }
}

/// Decides about an action of a statement that is being prepared: its number, up to four texts, and PHP's callback if there is one. Gives
/// SQLITE_OK, SQLITE_DENY or SQLITE_IGNORE.
pub type Authorize = fn(&mut Cx, &Database, i32, &[Option<Vec<u8>>; 4], Option<&PhpCallable>) -> Res<i32>;

pub(super) unsafe extern "C" fn authorizer(
    data: *mut c_void,
    action: c_int,
    a: *const c_char,
    b: *const c_char,
    c: *const c_char,
    d: *const c_char,
) -> c_int {
    // SAFETY: the database outlives its handle; texts are null or end with NUL.
    let (database, texts) = unsafe {
        (&*data.cast_const().cast::<Database>(), [optional_text(a), optional_text(b), optional_text(c), optional_text(d)])
    };
    let callback = database.authorizer.borrow().clone();
    let Some(authorize) = database.authorize.get() else { return ffi::SQLITE_OK };
    database.run(|cx| authorize(cx, database, action, &texts, callback.as_deref())).unwrap_or(ffi::SQLITE_DENY)
}
