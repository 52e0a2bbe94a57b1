//! The API gateway: REST APIs in the shape of z/OS Connect in front of a region's programs.
//!
//! What: HTTP listeners, routing, logon, conversion by compiled plans, LINK through the
//! `Programs` facet, error replies, administration over HTTP, interceptors. Why: unchanged programs
//! get a web API. Not here: reading of archives and server.xml (`transom-apidef`), conversion
//! itself (`transom-copybook`), running programs (a region).
//!
//! The way of a request through the files: `serve.rs` (its connection), `request.rs` (what it is
//! for),
//! `live.rs` and `router.rs` (its operation), `invoke.rs` (rules, conversion, LINK, reply), with
//! `operation.rs` and `errors.rs` to look things up in.

#![forbid(unsafe_code)]

mod admin;
mod bind_services;
mod buffers;
mod catalog;
mod change;
mod config;
mod conversion;
mod cors;
mod definition;
mod deploy;
mod document;
mod door;
mod errors;
mod gateway;
mod installed;
mod interceptors;
mod invoke;
mod live;
mod no_room;
mod observe;
mod operation;
mod peer;
mod regions;
mod reply_body;
mod request;
mod request_body;
mod rest;
mod rest_xml;
mod router;
mod security;
mod serve;
mod server_xml;
mod state;
mod statistics;

pub use config::{GatewayConfig, Interceptor, Manager, Scope};
pub use conversion::{Conversion, ConversionFailure, Decoded, RequestView};
pub use cors::CorsRule;
pub use definition::{ApiDefinition, OperationDefinition, ServiceDefinition};
pub use gateway::{Companion, Gateway, GatewayError, InstallError};
pub use interceptors::{AuditOptions, WhenFull};
pub use regions::Regions;
pub use rest::{RestBackend, RestConnection};
pub use router::{BadEscape, PathValues, parameter_names, percent_decode};
pub use security::{ACCESS_ROLE, Groups, RegistryConfig, UserConfig};
pub use server_xml::FromServerXml;
pub use statistics::GatewayStatistics;
