//! Service archives (`.sar`): one program with its data, as the API toolkit or
//! `transom service build` writes it.
//!
//! What: `manifest.yml` (who is called and how values are converted), the interface files (`.si`:
//! the copybook as XML), the service file (which fields take part in which direction) and the JSON
//! schemas. The interface files say code page 037 because the archive was made for z/OS; which code
//! page the bytes have is decided later, by whoever compiles the plan. Not here: calling anything.

mod data;
mod inclusion;
mod interface;
mod kinds;
mod manifest;
mod provider;
mod read;
mod service;
mod shape;
mod tables;
pub(crate) mod write;

pub use data::{Carrier, ContainerPlace, ServiceData};
pub use interface::{Container, Field, Interface};
pub(crate) use manifest::ccsid;
pub use manifest::{Manifest, Property};
pub use provider::{Provider, TransidUsage};
pub use service::{RestCall, ServiceArchive};
