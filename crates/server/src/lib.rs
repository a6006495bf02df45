//! The application server: executors, HTTP, static files, limits, logs.
//!
//! The way of a request: an executor thread accepts its connection ([`server`]), its head is looked at (`head`) and read by
//! hyper (`connection`), the path is routed (`routing`), a static file is answered at once (`static_files`), for a
//! script the body is received and decoded ([`request`]), and the script begins here, or, when this executor is busy, on
//! whichever has room first (`executor` has the queue, `runner` an executor's scripts, `schedule` decides whose turn it is).
//! When scripts hold all executors, the `guard` accepts connections in their place. Its
//! answer comes back through [`response`].
//!
//! Must not know opcodes or the layout of values: engines are behind [`engine_api`].

#![forbid(unsafe_code)]

mod accept;
mod access_log;
mod answer;
mod config;
mod connection;
mod content_types;
mod dates;
mod descriptors;
pub mod engine_api;
mod executor;
mod expectations;
mod guard;
mod handover;
mod head;
mod listeners;
pub mod memory;
mod private_names;
mod range;
mod relief;
pub mod request;
pub mod response;
mod routing;
mod runner;
mod schedule;
mod server;
mod service;
mod signals;
mod static_files;

pub use answer::{error_page, new_error_id};
pub use config::{ErrorLog, ListenAddress, ServerConfig};
pub use descriptors::raise_limit;
pub use executor::ServerMetrics;
pub use handover::{ARGUMENT as HANDED_OVER, Handover, InheritedSocket, receive as receive_sockets};
pub use private_names::PRIVATE_FILES;
pub use server::{Ended, RunningServer, Server};
pub use signals::Signals;
