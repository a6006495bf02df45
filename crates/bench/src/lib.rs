//! `jumbo bench`: PHP servers side by side on one machine, measured so that the figures can be trusted.
//!
//! This crate speaks HTTP and never links the engine: Jumbo is a server under test like any other.
//!
//! A *target* ([`targets`]) is a site with a mix of requests; an *engine* ([`engines`]) a server that is started with it, in a [`place`].
//! [`extensions`] makes their PHPs alike, [`sanity`] checks answers before anything is timed, [`warmup`] finds the steady state, [`load`] sends the requests and checks each answer,
//! [`run`] takes what a run cost, [`session`] has the order of it all and makes the JSON document that [`text`], [`report`]
//! and `compare` read; [`pages`] takes single pages, and counts instructions. The method in words: docs/benchmark.md.

#![forbid(unsafe_code)]

pub mod calibrate;
pub mod cli;
pub mod commands;
pub mod database;
pub mod engines;
pub mod environment;
pub mod extensions;
pub mod load;
pub mod normalise;
pub mod pages;
pub mod place;
pub mod procs;
pub mod progress;
pub mod report;
pub mod run;
pub mod sanity;
pub mod session;
pub mod setup;
pub mod stats;
pub mod summary;
pub mod targets;
pub mod text;
pub mod warmup;

pub use commands::run as command_line;
