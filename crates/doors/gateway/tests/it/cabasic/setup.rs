//! R1's system in a folder: bind files from the copybooks of Figures 4 and 6 and their siblings,
//! the server.xml of Figures 11 to 13, the API archives of section 3.4.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use transom_apidef::ls2js;
use transom_apidef::plan::ServicePlan;
use transom_apidef::server::ServerConfig;
use transom_apidef::toolkit::build_api;
use transom_copybook::Profile;
use transom_copybook::shape::RecordFormat;
use transom_gateway::GatewayConfig;

/// Kilobytes of a reply and elements of its table.
pub(crate) const SIZES: [(u32, u32); 4] = [(1, 31), (4, 127), (8, 255), (16, 511)];

const REQUEST: &str = "\
           05 COUNT-IN       PIC 9(8)  COMP-4.
           05 COUNT-OUT      PIC 9(8)  COMP-4.
";

fn response(elements: u32) -> String {
    format!(
        "\
           05 RECV-SIZE      PIC 9(8)  COMP-4.
           05 SEND-SIZE      PIC 9(8)  COMP-4.
           05 TASKID         PIC 9(8)  COMP-4.
           05 TRANID         PIC X(4)  .
           05 RS-SPARE       PIC X(16) .
           05 USER-DATA      PIC X(32) OCCURS {elements} TIMES.
"
    )
}

/// Writes everything below `folder` and reads its server.xml. Ports are free ones on loopback.
pub(crate) fn configure(folder: &Path) -> GatewayConfig {
    let binds = folder.join("bindfiles");
    let apis = folder.join("resources/zosconnect/apis");
    fs::create_dir_all(&binds).expect("a folder");
    fs::create_dir_all(&apis).expect("a folder");
    let mut services = String::new();
    for (kilobytes, elements) in SIZES {
        let name = format!("comm{kilobytes}k");
        let parameters = format!(
            "LANG=COBOL\nPDSLIB=copy\nREQMEM=REQ\nRESPMEM=RESP\nPGMNAME=COMM{kilobytes}K\n\
             PGMINT=COMMAREA\nMAPPING-LEVEL=4.0\nCCSID=037\nWSBIND={name}.wsbind\n\
             JSON-SCHEMA-REQUEST={name}_request.json\nJSON-SCHEMA-RESPONSE={name}_response.json\n\
             LOGFILE={name}.log\n"
        );
        let member = |member: &str| match member {
            "REQ" => Some(REQUEST.to_owned()),
            _ => Some(response(elements)),
        };
        let made = ls2js::generate(&name, &parameters, member).expect("a bind file");
        fs::write(binds.join(format!("{name}.wsbind")), &made.bind_text).expect("written");
        let service = made
            .bind
            .service(&name, Profile::Native)
            .expect("a service");
        let plan = ServicePlan::new(&service, &RecordFormat::region()).expect("a plan");
        let plan = Arc::new(plan);
        let yaml = format!(
            "name: {name}\nversion: 1.0.0\nbasePath: /{name}\noperations:\n  - method: PUT\n    \
             path: /mapping/CABASIC-RS2/{{countIn}}\n    service: {name}\n    request:\n      path:\n        \
             countIn: COMM{kilobytes}KOperation/count_in\n"
        );
        let archive = build_api("api.yml", &yaml, |_| Some(plan.clone())).expect("an API");
        fs::write(apis.join(format!("{name}.aar")), archive).expect("written");
        services.push_str(&format!(
            "<zosconnect_zosConnectService id=\"{name}_id\" requireAuth=\"false\" requireSecure=\"false\" \
             serviceName=\"{name}\" serviceRef=\"wolaCABASIC\" dataXformRef=\"xformJSON2Byte\"/>\n"
        ));
    }
    let xml = format!(
        "<server><httpEndpoint id=\"defaultHttpEndpoint\" httpPort=\"0\" httpsPort=\"-1\"/>\n\
         <zosconnect_zosConnectManager requireAuth=\"false\" requireSecure=\"false\"/>\n\
         <zosconnect_localAdaptersConnectService id=\"wolaCABASIC\" registerName=\"CICSREG\" \
         serviceName=\"CABASIC\"/>\n{services}\
         <zosconnect_zosConnectDataXform id=\"xformJSON2Byte\" bindFileLoc=\"bindfiles\"/></server>"
    );
    let server = ServerConfig::parse("server.xml", &xml).expect("a configuration");
    GatewayConfig::from_server_xml(&server, folder, &transom_messages::Operator::nobody())
        .expect("a gateway")
        .config
}
