//! The smallest site: every script says hello. Shows how an engine is plugged in, and what the server itself costs.
//!
//! `cargo run --release -p jumbo-server --example hello -- 127.0.0.1:8080 FOLDER`, where FOLDER has an index.php.

use std::sync::Arc;

use bytes::Bytes;
use jumbo_server::engine_api::{
    Executor, LocalFuture, ResponseHead, ResponseSink, ScriptRequest, Site,
};
use jumbo_server::{Server, ServerConfig};

struct Hello;

impl Site for Hello {
    fn new_executor(&self) -> Box<dyn Executor> {
        Box::new(Hello)
    }
}

impl Executor for Hello {
    fn run(&self, _request: ScriptRequest, response: ResponseSink) -> LocalFuture<()> {
        Box::pin(async move {
            response.start(ResponseHead {
                status: 200,
                reason: None,
                headers: vec![(
                    Bytes::from_static(b"Content-type"),
                    Bytes::from_static(b"text/html; charset=UTF-8"),
                )],
            });
            response.write_slice(b"Hello, world\n");
            response.finish();
        })
    }
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut config = ServerConfig::default();
    if let Some(address) = arguments.next() {
        config.listen = vec![address.parse().map_err(std::io::Error::other)?];
    }
    if let Some(folder) = arguments.next() {
        config.document_root = folder.into();
    }
    let server = Server::bind(config, Arc::new(Hello))?;
    for address in server.addresses() {
        eprintln!("listening on {address}");
    }
    let signals = jumbo_server::Signals::catch(false)?;
    server.run_until_signal(signals, &|| Err("this is an example".into())).map(drop)
}
