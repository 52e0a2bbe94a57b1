//! Services that server.xml defines by itself: a program behind local adapters, its data described
//! by a bind file (R1, figures 12 and 13).
//!
//! `zosConnectService serviceRef` leads to the `localAdaptersConnectService` with program and
//! registration, `dataXformRef` to the folder where `<serviceName><bindFileSuffix>` lies. Schemas
//! are shown from `<serviceName>_request` and `_response` files when those exist, else made from
//! the bind file.

use std::fmt;
use std::path::{Path, PathBuf};
use transom_apidef::ls2js::Bind;
use transom_apidef::sar::{Carrier, ContainerPlace, ServiceArchive, ServiceData};
use transom_apidef::server::{ConnectService, DataXform, LocalAdaptersService, ServerConfig};
use transom_copybook::Profile;
use transom_messages::{self as messages, Line, Problem};
use transom_types::{ContainerName, NameError, ProgramName, TransId};

/// Transaction of the link task of local adapters when nobody names one.
const LINK_TASK: &str = "BBO#";
/// Largest bind or schema file, bytes.
const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// What the administration interface calls this transformer.
pub(crate) const DATA_XFORM: &str = "zosConnectXform-1.0";

/// All services of this kind, and one message for each that cannot be built.
pub(crate) fn read(server: &ServerConfig, folder: &Path) -> (Vec<ServiceArchive>, Vec<Line>) {
    let mut services = Vec::new();
    let mut notices = Vec::new();
    for service in &server.connect_services {
        match build(server, service, folder) {
            Ok(built) => services.push(built),
            Err(why) => {
                notices.push(messages::gw::service_refused(&service.service_name, &why).into())
            }
        }
    }
    (services, notices)
}

/// Why a service of server.xml is not there.
enum NotBuilt {
    ServiceRef(String),
    NoXform,
    Xform(String),
    File(PathBuf, std::io::Error),
    Bind(Problem),
    Program(String, NameError),
    Transid(String, NameError),
    Container(String, NameError),
}

impl fmt::Display for NotBuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ServiceRef(id) => write!(
                f,
                "serviceRef {id} names no zosconnect_localAdaptersConnectService"
            ),
            Self::NoXform => f.write_str("there is no dataXformRef"),
            Self::Xform(id) => {
                write!(
                    f,
                    "dataXformRef {id} names no zosconnect_zosConnectDataXform"
                )
            }
            Self::File(file, error) => write!(f, "{}: {error}", file.display()),
            Self::Bind(problem) => problem.id_first().fmt(f),
            Self::Program(name, why) => write!(f, "serviceName {name} is no program name: {why}"),
            Self::Transid(name, why) => write!(f, "linkTaskTranID {name}: {why}"),
            Self::Container(name, why) => write!(f, "container {name}: {why}"),
        }
    }
}

fn build(
    server: &ServerConfig,
    service: &ConnectService,
    folder: &Path,
) -> Result<ServiceArchive, NotBuilt> {
    let program = server
        .local_adapters_services
        .iter()
        .find(|l| l.id == service.service_ref)
        .ok_or_else(|| {
            let reference = &service.service_ref;
            NotBuilt::ServiceRef(reference.clone())
        })?;
    let xform = service
        .data_xform_ref
        .as_ref()
        .or(server.manager.data_xform_ref.as_ref());
    let xform = xform.ok_or(NotBuilt::NoXform)?;
    let xform = server
        .data_xforms
        .iter()
        .find(|x| x.id == *xform)
        .ok_or_else(|| NotBuilt::Xform(xform.clone()))?;
    let name = &service.service_name;
    let file = folder
        .join(&xform.bind_file_folder)
        .join(format!("{name}{}", xform.bind_file_suffix));
    let bytes = match read_file(&file) {
        Ok(bytes) => bytes,
        Err(error) => return Err(NotBuilt::File(file, error)),
    };
    let bind = Bind::read(&file.display().to_string(), &bytes).map_err(NotBuilt::Bind)?;
    let mut built = bind
        .service(name, Profile::Native)
        .map_err(NotBuilt::Bind)?;
    built.description.clone_from(&service.description);
    let name = &program.service_name;
    let named = ProgramName::new(name).map_err(|e| NotBuilt::Program(name.clone(), e))?;
    built.program = Some(named);
    built.connection_ref = Some(program.register_name.clone());
    let transid = link_task(server, program);
    let named = TransId::new(transid).map_err(|e| NotBuilt::Transid(transid.to_owned(), e))?;
    built.transid = Some(named);
    carry(&mut built, program)?;
    schemas(&mut built, xform, folder);
    Ok(built)
}

/// The service's own `linkTaskTranID`, else its connection factory's, else the product's.
fn link_task<'s>(server: &'s ServerConfig, program: &'s LocalAdaptersService) -> &'s str {
    let factory = program.connection_factory_ref.as_ref();
    let factory = factory.and_then(|id| server.connection_factories.iter().find(|f| f.id == *id));
    let ola = factory.and_then(|f| f.ola.as_ref());
    let of_factory = || ola.and_then(|o| o.link_task_tran_id.as_deref());
    program
        .link_task_tran_id
        .as_deref()
        .or_else(of_factory)
        .unwrap_or(LINK_TASK)
}

/// `linkTaskReqContID` and its siblings make a channel of the COMMAREA.
fn carry(service: &mut ServiceArchive, program: &LocalAdaptersService) -> Result<(), NotBuilt> {
    let Some(request) = &program.request_container else {
        return Ok(());
    };
    let response = program.response_container.as_ref().unwrap_or(request);
    let channel = program.channel.clone().unwrap_or_default();
    let set = |data: &mut ServiceData, name: &str| -> Result<(), NotBuilt> {
        let container =
            ContainerName::new(name).map_err(|e| NotBuilt::Container(name.to_owned(), e))?;
        data.carrier = Carrier::Channel {
            name: channel.clone(),
            containers: vec![ContainerPlace {
                name: container,
                offset: 0,
                bytes: data.shape.max_len,
                character: !program.request_container_bit,
                required: true,
            }],
        };
        Ok(())
    };
    set(&mut service.request, request)?;
    set(&mut service.response, response)
}

fn schemas(service: &mut ServiceArchive, xform: &DataXform, folder: &Path) {
    let read = |place: &Option<String>, kind: &str, suffix: &str| {
        let file = folder
            .join(place.as_ref()?)
            .join(format!("{}_{kind}{suffix}", service.name));
        serde_json::from_slice(&read_file(&file).ok()?).ok()
    };
    service.request_schema = read(
        &xform.request_schema_folder,
        "request",
        &xform.request_schema_suffix,
    );
    service.response_schema = read(
        &xform.response_schema_folder,
        "response",
        &xform.response_schema_suffix,
    );
}

fn read_file(file: &Path) -> std::io::Result<Vec<u8>> {
    if std::fs::metadata(file)?.len() > FILE_BYTES_MAX {
        let text = format!("larger than {FILE_BYTES_MAX} bytes");
        return Err(std::io::Error::other(text));
    }
    std::fs::read(file)
}
