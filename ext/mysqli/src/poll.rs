//! `mysqli_poll`: which of several connections have an answer to a query that was sent without waiting.

use crate::link::{link, look};
use jumbo_abi::{Cx, PArray, PObject, PRef, Res, Value};
use jumbo_ext_mysqlnd::connection::{Connection, Shared, State};
use std::time::{Duration, Instant};

/// The longest pause between two looks.
const PAUSE_MAX: Duration = Duration::from_millis(5);

/// The connections of one of the arrays.
fn links(cx: &mut Cx, list: &PRef) -> Res<Option<Vec<(PObject, Shared)>>> {
    let value = list.get();
    let Some(array) = value.as_array() else { return Ok(None) };
    let mut found = Vec::new();
    for value in array.clone().values() {
        let value = value.copy_deref();
        let is_link = value.as_object().is_some_and(|o| o.native::<crate::link::State>().is_some());
        match value.as_object() {
            Some(object) if is_link => {
                let shared = link(cx, object)?.shared.clone();
                found.push((object.clone(), shared));
            }
            _ => return Err(cx.throw_error("mysqli_poll() expects arrays of mysqli objects")),
        }
    }
    Ok(Some(found))
}

fn array_of(objects: impl IntoIterator<Item = PObject>) -> Value {
    Value::from(PArray::from_values(objects.into_iter().map(Value::from)))
}

pub fn poll(cx: &mut Cx, read: &PRef, error: &PRef, reject: &PRef, seconds: i64, microseconds: i64) -> Res<Value> {
    let (Ok(whole), Ok(micros)) = (u64::try_from(seconds), u64::try_from(microseconds)) else {
        let n = if seconds < 0 { 4 } else { 5 };
        return Err(cx.arg_value_error(n, "must be greater than or equal to 0"));
    };
    let reading = links(cx, read)?;
    let failing = links(cx, error)?;
    if reading.is_none() && failing.is_none() {
        return Err(cx.value_error("No stream arrays were passed"));
    }
    let waiting = |shared: &Shared| look(shared, |c| matches!(c.state, State::QuerySent | State::Rows | State::MoreResults)).unwrap_or(false);
    let (asked, rejected): (Vec<_>, Vec<_>) = reading.clone().unwrap_or_default().into_iter().partition(|(_, shared)| waiting(shared));
    let any_rejected = !rejected.is_empty();
    if asked.is_empty() && failing.as_ref().is_none_or(Vec::is_empty) {
        cx.warning(if any_rejected { "All arrays passed are clear" } else { "No stream arrays were passed" })?;
        return Ok(Value::FALSE);
    }
    let deadline = Instant::now().checked_add(Duration::from_secs(whole).saturating_add(Duration::from_micros(micros)));
    let mut pause = Duration::from_micros(100);
    let ready = loop {
        let is_ready = |(_, shared): &&(PObject, Shared)| look(shared, Connection::is_answered).unwrap_or(false);
        let ready: Vec<PObject> = asked.iter().filter(is_ready).map(|(object, _)| object.clone()).collect();
        let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
        if !ready.is_empty() || left.is_some_and(|l| l.is_zero()) {
            break ready;
        }
        cx.check()?;
        cx.sleep(left.map_or(pause, |l| l.min(pause)));
        pause = (pause * 2).min(PAUSE_MAX);
    };
    let count = ready.len() as i64;
    if reading.is_some() {
        read.set(array_of(ready));
    }
    if failing.is_some() {
        error.set(Value::from(PArray::new()));
    }
    reject.set(array_of(rejected.into_iter().map(|(object, _)| object)));
    Ok(Value::from(count))
}
