//! The only unsafe code: what the safe wrappers of Oniguruma lack.

use onig::MatchParam;

/// A search with this parameter gives up after so many steps back, at all places together.
pub fn limit_search(param: &mut MatchParam, retries: u32) {
    // SAFETY: the parameter is the wrapper's own, alive and initialised.
    unsafe { onig_sys::onig_set_retry_limit_in_search_of_match_param(param.as_raw(), retries.into()) };
}
