//! Before anything is timed: does each engine answer every request of the target rightly, and as the reference does?
//!
//! The reference is stock PHP (php-fpm without JIT) when it takes part, else the first engine that works. A page is asked for three times: the
//! first answer may fill caches, the other two must be equal after the target's normalisation. If they are not, bodies of this page cannot be
//! compared, and that is said with the results.

use crate::engines::Server;
use crate::load::{Checker, Fault, Reference, Request, fetch};
use crate::normalise::{Normaliser, excerpt, first_difference, text_of};
use crate::targets::Target;
use std::sync::Arc;
use std::time::Duration;

/// Normalised bodies of the reference engine, page by page; None where they vary.
pub struct Bodies {
    pub engine: String,
    pub pages: Vec<Option<Vec<u8>>>,
}

/// What a server's check brought.
pub struct Checked {
    /// The target's requests with what their answers must be.
    pub requests: Vec<Request>,
    pub bodies: Bodies,
    pub warnings: Vec<String>,
}

/// Checks all pages; the error is the reason why the cell is void.
pub fn check(server: &Server, target: &Target, reference: Option<&Bodies>, timeout: Duration) -> Result<Checked, String> {
    let normaliser = Arc::new(target.normaliser()?);
    let mut checked = Checked { requests: Vec::new(), bodies: Bodies { engine: server.engine.name.clone(), pages: Vec::new() }, warnings: Vec::new() };
    for (number, page) in target.pages.iter().enumerate() {
        let reason = |why: String| format!("{}: {why}", page.path);
        let bytes = page.request(&server.host);
        let mut checker = Checker::new(Arc::new(page.expectation(None)));
        let mut get = || {
            let answer = fetch(server.address, &bytes, timeout).map_err(reason)?;
            match checker.check(answer.status, &answer.body) {
                Ok(()) => Ok(answer),
                Err(fault) => Err(reason(explain(&fault, page.status, &answer.body, &server.log_tail(300)))),
            }
        };
        get()?;
        let (one, two) = (get()?.body, get()?.body);
        let (one, two) = (normaliser.apply(&one).into_owned(), normaliser.apply(&two));
        if one != *two {
            let difference = first_difference(&two, &one);
            checked.warnings.push(format!("{}: bodies vary and are not compared: {difference}", page.path));
            checked.bodies.pages.push(None);
            checked.requests.push(page.load_request(&server.host, None));
            continue;
        }
        if let Some(reference) = reference
            && let Some(Some(theirs)) = reference.pages.get(number)
            && *theirs != one
        {
            return Err(reason(format!("differs from {}: {}", reference.engine, first_difference(&one, theirs))));
        }
        checked.requests.push(page.load_request(&server.host, Some(body_reference(&normaliser, one.clone()))));
        checked.bodies.pages.push(Some(one));
    }
    Ok(checked)
}

fn body_reference(normaliser: &Arc<Normaliser>, normalised: Vec<u8>) -> Arc<Reference> {
    Arc::new(Reference { normaliser: normaliser.clone(), normalised })
}

fn explain(fault: &Fault, status: u16, body: &[u8], log: &str) -> String {
    let log = if log.is_empty() { String::new() } else { format!("; its log ends with: {}", excerpt(log.as_bytes(), 300)) };
    let body = text_of(body, 300);
    match fault {
        Fault::Status(got) => format!("status {got}, {status} was expected: {body}{log}"),
        Fault::Size(bytes) => format!("a body of {bytes} bytes: {body}{log}"),
        Fault::Phrase => format!("the expected phrase is missing: {body}{log}"),
        Fault::Body => format!("a wrong body: {body}{log}"),
    }
}
