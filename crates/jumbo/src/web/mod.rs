//! PHP behind the server: requests become superglobals, output becomes answers, instances run on the server's executors.

pub mod head;
pub mod input;
pub mod site;
pub mod sink;
