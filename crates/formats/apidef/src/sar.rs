//! Service archives (`.sar`): one program with its data, as the API toolkit or
//! `transom service build` writes it.
//!
//! What: `manifest.yml` (who is called and how values are converted), the interface files (`.si`:
//! the copybook as XML), the service file (which fields take part in which direction) and the JSON
//! schemas. The interface files say code page 037 because the archive was made for z/OS; which code
//! page the bytes have is decided later, by whoever compiles the plan. Not here: calling anything.

mod inclusion;
mod interface;
mod kinds;
mod manifest;
mod shape;
mod tables;
pub(crate) mod write;

pub use interface::{Container, Field, Interface};
pub(crate) use manifest::ccsid;
pub use manifest::{Manifest, Property};
use transom_messages as messages;

use crate::archive::Archive;
use crate::ls2js::Bind;
use crate::problem::{Problem, Result};
use crate::yaml;
use inclusion::Inclusions;
use serde_json::Value;
use transom_copybook::Profile;
use transom_copybook::shape::{Kind, Properties, Shape};
use transom_types::{ContainerName, ProgramName, TransId};

/// A service read from its archive.
#[derive(Debug, Clone)]
pub struct ServiceArchive {
    /// Service name, as APIs refer to it.
    pub name: String,
    /// Version of the service, such as `1.0.0`.
    pub version: String,
    /// One line of text.
    pub description: String,
    /// Who runs the service.
    pub provider: Provider,
    /// Program to link to; set for services this gateway supports.
    pub program: Option<ProgramName>,
    /// Transaction the program runs under.
    pub transid: Option<TransId>,
    /// `transidUsage`: whether the mirror task runs under `transid` too or only EIBTRNID shows it.
    pub transid_usage: Option<TransidUsage>,
    /// Identifier of the connection element in server.xml.
    pub connection_ref: Option<String>,
    /// Code page the archive was made for (`ccsid` of the service file, 37 when it names none).
    pub ccsid: u16,
    /// HTTP headers to hand on in a context container, when the service uses context containers.
    pub context_containers: Option<Vec<String>>,
    /// Conversion options.
    pub conversion: Properties,
    /// Every property of the manifest, known or not, in file order.
    pub properties: Vec<Property>,
    /// Data of requests.
    pub request: ServiceData,
    /// Data of responses.
    pub response: ServiceData,
    /// JSON schema of requests as the archive has it.
    pub request_schema: Option<Value>,
    /// JSON schema of responses as the archive has it.
    pub response_schema: Option<Value>,
    /// Why this gateway cannot run the service although the archive is sound (TXMAD0011E); `None`
    /// when it can.
    pub not_supported: Option<Problem>,
    /// What was accepted and has no effect.
    pub notices: Vec<Problem>,
}

/// Document and carrier of one direction.
#[derive(Debug, Clone)]
pub struct ServiceData {
    /// Document and record; the containers of a channel lie one behind the other in one record.
    pub shape: Shape,
    /// How the record travels.
    pub carrier: Carrier,
}

/// How a record travels to a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carrier {
    /// One COMMAREA.
    Commarea,
    /// Containers of one channel.
    Channel {
        /// Channel name; blank when the archive has none.
        name: String,
        /// The containers in the order of the record.
        containers: Vec<ContainerPlace>,
    },
}

/// Where a container lies in the record of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerPlace {
    /// Container name.
    pub name: ContainerName,
    /// First byte in the record.
    pub offset: usize,
    /// Bytes at most.
    pub bytes: usize,
    /// CHAR container (converted by whoever gets it); else BIT.
    pub character: bool,
    /// Whether the program needs it.
    pub required: bool,
}

impl Carrier {
    /// Cuts an encoded record into containers. The record may be shorter than described (its last
    /// table is short).
    pub fn split<'a>(&self, record: &'a [u8]) -> Vec<(&ContainerPlace, &'a [u8])> {
        match self {
            Carrier::Commarea => Vec::new(),
            Carrier::Channel { containers, .. } => containers
                .iter()
                .map(|place| {
                    let end = (place.offset + place.bytes).min(record.len());
                    (place, record.get(place.offset..end).unwrap_or(&[]))
                })
                .collect(),
        }
    }

    /// Puts containers together to a record of `len` bytes. Containers nobody described are left
    /// out; what a missing or short container does not fill is blank for CHAR containers and X'00'
    /// for BIT containers.
    pub fn join<'a>(
        &self,
        len: usize,
        given: impl IntoIterator<Item = (ContainerName, &'a [u8])>,
    ) -> Vec<u8> {
        let mut record = vec![0; len];
        let Carrier::Channel { containers, .. } = self else {
            return record;
        };
        for place in containers.iter().filter(|p| p.character) {
            if let Some(area) = record.get_mut(place.offset..place.offset + place.bytes) {
                area.fill(b' ');
            }
        }
        for (name, bytes) in given {
            let Some(place) = containers.iter().find(|p| p.name == name) else {
                continue;
            };
            let n = bytes.len().min(place.bytes);
            if let Some(area) = record.get_mut(place.offset..place.offset + n) {
                area.copy_from_slice(&bytes[..n]);
            }
        }
        record
    }
}

/// Who runs a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Provider {
    /// A CICS program by COMMAREA or channel (`CICS-1.0` and later).
    Cics,
    /// A program behind local adapters (`wola`).
    Wola,
    /// REST, which is also how Db2 services are called.
    RestClient,
    /// IBM MQ.
    Mq,
    /// IMS transactions.
    Ims,
    /// Another one, by the name in the manifest.
    Other(String),
}

impl Provider {
    /// Name as the administration interface shows it.
    pub fn name(&self) -> &str {
        match self {
            Provider::Cics => "CICS-1.0",
            Provider::Wola => "WOLA-1.0",
            Provider::RestClient => "restclient-1.0",
            Provider::Mq => "IBM_MQ-1.0",
            Provider::Ims => "IMS-1.0",
            Provider::Other(name) => name,
        }
    }

    fn from_manifest(name: &str) -> Provider {
        let lower = name.to_ascii_lowercase();
        let is = |prefix: &str| lower.starts_with(prefix);
        if is("cics") {
            Provider::Cics
        } else if is("wola") || is("localadapters") {
            Provider::Wola
        } else if is("rest") || is("db2") {
            Provider::RestClient
        } else if is("mq") || is("ibmmq") {
            Provider::Mq
        } else if is("ims") {
            Provider::Ims
        } else {
            Provider::Other(name.to_owned())
        }
    }
}

/// Meaning of a service's `transid`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransidUsage {
    /// Only EIBTRNID shows it; the mirror task keeps its own transaction.
    EibOnly,
    /// The mirror task runs under it.
    EibAndMirror,
}

/// Code page of an archive that names none.
const DEFAULT_CCSID: u16 = 37;

impl ServiceArchive {
    /// Reads an archive. `name` is the file name, only for messages.
    ///
    /// # Errors
    /// What [`Archive::read`] answers; TXMAD0004E for a missing member; TXMAD0005E..0007E for
    /// malformed XML, YAML or JSON; TXMAD0010E for a property that makes no sense; TXMAD0012E and
    /// 0013E for fields that cannot be laid out.
    pub fn read(name: &str, bytes: &[u8]) -> Result<ServiceArchive> {
        Self::from_archive(&Archive::read(name, bytes)?)
    }

    /// The same for an archive already unpacked.
    ///
    /// # Errors
    /// As [`ServiceArchive::read`].
    pub fn from_archive(archive: &Archive) -> Result<ServiceArchive> {
        let manifest = Manifest::parse(
            &archive.place("manifest.yml"),
            archive.text("manifest.yml")?,
        )?;
        let schema = |uri: &Option<String>| match uri {
            Some(member) => {
                yaml::parse_json(&archive.place(member), archive.text(member)?).map(Some)
            }
            None => Ok(None),
        };
        let request_schema = schema(&manifest.request_schema)?;
        let response_schema = schema(&manifest.response_schema)?;
        let provider = Provider::from_manifest(&manifest.provider);
        let mut service = ServiceArchive {
            conversion: manifest.conversion()?,
            program: manifest.name_property("program")?,
            transid: manifest.name_property("transid")?,
            transid_usage: manifest.transid_usage()?,
            connection_ref: manifest.value("connectionRef").map(str::to_owned),
            ccsid: manifest.ccsid()?.unwrap_or(DEFAULT_CCSID),
            context_containers: manifest.context_containers(),
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            description: manifest.description.clone(),
            provider,
            request: ServiceData::empty(),
            response: ServiceData::empty(),
            request_schema,
            response_schema,
            not_supported: None,
            notices: manifest.notices(),
            properties: manifest.properties.clone(),
        };
        if !matches!(service.provider, Provider::Cics | Provider::Wola) {
            service.not_supported = Some(Problem::new(
                messages::ad::provider_not_supported(&service.name, &manifest.provider),
                &archive.name,
            ));
            return Ok(service);
        }
        if service.program.is_none() {
            return Err(manifest.bad("program", "is missing"));
        }
        service.read_data(archive, &manifest)?;
        Ok(service)
    }

    fn read_data(&mut self, archive: &Archive, manifest: &Manifest) -> Result<()> {
        if let Some(member) = manifest.file("wsbindFile") {
            let bind = Bind::read(&archive.place(&member), archive.need(&member)?)?;
            let service = bind.service(&self.name, Profile::Native)?;
            self.conversion = service.conversion;
            self.request = service.request;
            self.response = service.response;
            return Ok(());
        }
        let (Some(request), Some(response)) = (
            manifest.file("wvRequestInterfaceFile"),
            manifest.file("wvResponseInterfaceFile"),
        ) else {
            self.not_supported = Some(Problem::new(
                messages::ad::data_not_supported(
                    &self.name,
                    manifest.value("dataXformType").unwrap_or("not given"),
                ),
                &archive.name,
            ));
            return Ok(());
        };
        let mut request = Interface::parse(&archive.place(&request), archive.text(&request)?)?;
        let mut response = Interface::parse(&archive.place(&response), archive.text(&response)?)?;
        if let Some(member) = manifest.file("wvServiceFile") {
            let inclusions = Inclusions::parse(&archive.place(&member), archive.text(&member)?)?;
            inclusions.input.apply(&mut request);
            inclusions.output.apply(&mut response);
            if manifest.ccsid()?.is_none() {
                self.ccsid = inclusions.ccsid.unwrap_or(self.ccsid);
            }
        }
        self.request = shape::build(
            &request,
            &self.name,
            shape::Direction::Request,
            self.request_schema.as_ref(),
        )?;
        self.response = shape::build(
            &response,
            &self.name,
            shape::Direction::Response,
            self.response_schema.as_ref(),
        )?;
        Ok(())
    }
}

impl ServiceData {
    /// The JSON schema a service archive holds for this direction. The containers a channel needs
    /// are required members.
    pub fn schema(&self) -> Value {
        let mut schema = crate::schema::of_shape(&self.shape);
        let Carrier::Channel { containers, .. } = &self.carrier else {
            return schema;
        };
        let needed = |field: &str| {
            containers
                .iter()
                .any(|c| c.required && c.name.as_str() == field)
        };
        if let Kind::Object(wrappers) = &self.shape.root.kind
            && let [wrapper] = wrappers.as_slice()
            && let Kind::Object(members) = &wrapper.kind
        {
            let names: Vec<&str> = members
                .iter()
                .filter(|m| needed(&m.field))
                .map(|m| m.name.as_str())
                .collect();
            if !names.is_empty() {
                schema["properties"][&wrapper.name]["required"] = names.into();
            }
        }
        schema
    }

    fn empty() -> ServiceData {
        ServiceData {
            shape: Shape::new(Vec::new()),
            carrier: Carrier::Commarea,
        }
    }
}
