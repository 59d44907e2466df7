//! A route that only answers hello, to measure the cost of the framework by itself. For
//! `scripts/load-test`.

use axum::Router;
use axum::routing::get;
use fourbook_server::{BookSource, Daemon, Listener, ServerOptions, serve};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let listener = Listener::Tcp(listener);
        println!("{}", listener.address()?);
        let router = Router::new().route("/", get(async || "hello"));
        // Only counts the connections.
        let daemon = Arc::new(Daemon::new([BookSource::Embedded], ServerOptions::default())?);
        serve(vec![listener], router, daemon, Box::pin(std::future::pending())).await;
        Ok(())
    })
}
