//! Members of an archive -> a service.
//!
//! What: the manifest first, then the data of both directions, from interface files or a bind file.
//! Why apart from the service: a bind file gives a service too, without an archive. Not here: what
//! each kind of member holds.

use super::data::ServiceData;
use super::inclusion::Inclusions;
use super::interface::Interface;
use super::manifest::Manifest;
use super::provider::Provider;
use super::service::{RestCall, ServiceArchive};
use super::shape;
use crate::archive::Archive;
use crate::ls2js::Bind;
use crate::problem::Result;
use crate::yaml;
use transom_copybook::Profile;
use transom_messages as messages;
use transom_messages::Problem;

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
            rest: None,
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
        if service.provider == Provider::RestClient
            && let Some(uri) = manifest.value("uri")
        {
            service.rest = Some(RestCall {
                verb: manifest.value("verb").unwrap_or("POST").to_owned(),
                uri: uri.to_owned(),
            });
            return Ok(service);
        }
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
