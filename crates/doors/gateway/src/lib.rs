//! The API gateway: REST APIs in the shape of z/OS Connect in front of a region's programs.
//!
//! What: HTTP listeners, routing, logon, conversion by compiled plans, LINK through the `Region`
//! trait, error replies, administration over HTTP, interceptors. Why: unchanged programs get a web
//! API. Not here: reading of archives and server.xml (`transom-apidef`), conversion itself
//! (`transom-copybook`), running programs (a region).
//!
//! The way of a request is [`request`](self) -> `live` -> `operation` -> region -> reply, in that
//! order of files: `serve.rs`, `request.rs`, `router.rs`, `live.rs`, `operation.rs`, `errors.rs`.

#![forbid(unsafe_code)]

mod admin;
mod bind_services;
mod body;
mod catalog;
mod config;
mod cors;
mod definition;
mod deploy;
mod document;
mod door;
mod errors;
mod gateway;
mod interceptors;
mod live;
mod observe;
mod operation;
mod regions;
mod request;
mod router;
mod security;
mod serve;
mod server_xml;
mod statistics;

pub use config::{GatewayConfig, Interceptor, Manager, Scope};
pub use cors::CorsRule;
pub use definition::{ApiDefinition, OperationDefinition, ServiceDefinition};
pub use gateway::{Companion, Gateway, GatewayError};
pub use interceptors::AuditOptions;
pub use operation::{Conversion, ConversionFailure, Decoded, RequestView};
pub use regions::Regions;
pub use router::{BadEscape, PathValues, parameter_names, percent_decode};
pub use security::{ACCESS_ROLE, Groups, RegistryConfig, UserConfig};
pub use server_xml::FromServerXml;
pub use statistics::{GatewayStatistics, OperationStatistics};
