//! API definitions: .sar and .aar archives, server.xml, BAQLS2JS parameters and bind files,
//! OpenAPI; API + service mapping compiled into conversion plans.
//!
//! Pure: bytes and text in, values out. Message ids TXMAD0001-0099.
#![forbid(unsafe_code)]

pub mod aar;
mod accepted;
pub mod archive;
mod digits;
pub mod ls2js;
pub mod openapi;
pub mod plan;
pub mod problem;
mod replies;
pub mod sar;
pub mod schema;
pub mod server;
pub mod toolkit;
pub mod xml;
pub mod yaml;

pub use problem::Result;
