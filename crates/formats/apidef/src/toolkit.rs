//! The API toolkit without an editor: copybooks and small YAML files into service and API archives.
//!
//! The archives have IBM's format and are read back by the code that reads IBM's own. Not here: files; whoever calls
//! gives texts and takes bytes.

mod api;
mod items;
mod layout;
mod maps;
mod service;

pub use api::build_api;
pub use service::{BuiltService, build_service};
