//! Cases that need a program: each is a function that starts servers of its own and says what is wrong. One file a subject.

mod bodies;
mod client_gone;
mod descriptors;
mod hung_mounts;
mod memory;
mod failures;
mod pipes;
mod signals;
mod stopping;

use super::Wrong;
use std::path::Path;

/// All of them, by name.
pub const CASES: &[(&str, fn(&Path) -> Result<(), Wrong>)] = &[
    ("body_memory", bodies::body_memory),
    ("client_gone", client_gone::client_gone),
    ("memory_max", memory::memory_max),
    ("refused_by_the_system", memory::refused_by_the_system),
    ("idle_connections", descriptors::idle_connections),
    ("soft_limit", descriptors::soft_limit),
    ("error_page", failures::error_page),
    ("access_log_stdout", failures::access_log_stdout),
    ("refused_starts", failures::refused_starts),
    ("hung_mount", hung_mounts::hung_mount),
    ("hung_mount_ended", hung_mounts::hung_mount_ended),
    ("hung_mount_threads", hung_mounts::hung_mount_threads),
    ("hung_mount_static", hung_mounts::hung_mount_static),
    ("hung_mount_bodies", hung_mounts::hung_mount_bodies),
    ("hung_mount_infile", hung_mounts::hung_mount_infile),
    ("hung_mount_sqlite", hung_mounts::hung_mount_sqlite),
    ("pipes", pipes::pipes),
    ("reload", signals::reload),
    ("reload_refused", signals::reload_refused),
    ("reopen_logs", signals::reopen_logs),
    ("signals", signals::all),
    ("stop_held", stopping::stop_held),
    ("sigterm", stopping::sigterm),
];
