//! A gateway in front of R1's program, with a conversion written by hand.

use crate::region::{Programs, cabasic};
use hyper::Method;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use transom_gateway::{
    ApiDefinition, Conversion, ConversionFailure, Decoded, Gateway, GatewayConfig,
    OperationDefinition, Regions, RequestView, ServiceDefinition,
};
use transom_region_api::Payload;
use transom_types::ProgramName;

pub(crate) const PUT_1K: &str = "/comm1k/mapping/CABASIC-RS2/1";
pub(crate) const FIGURE_2: &str = r#"{"COMM1KOperation":{"count_out":32}}"#;

/// R1's mapping as one would write it by hand.
struct Comm1k;

impl Conversion for Comm1k {
    fn encode(
        &self,
        request: &RequestView<'_>,
        mut buffer: Vec<u8>,
    ) -> Result<Payload, ConversionFailure> {
        let body: serde_json::Value = serde_json::from_slice(request.body)
            .map_err(|e| ConversionFailure::NotJson(e.to_string()))?;
        let bad = |what: &str| ConversionFailure::BadValue(format!("{what} is no number"));
        let count_in: u32 = match request.path.decoded(0) {
            Some(text) => text
                .ok()
                .and_then(|t| t.parse().ok())
                .ok_or_else(|| bad("path parameter countIn"))?,
            None => 0,
        };
        let count_out = body["COMM1KOperation"]["count_out"].as_u64();
        let count_out = count_out.ok_or_else(|| bad("COMM1KOperation/count_out"))? as u32;
        buffer.extend_from_slice(&count_in.to_be_bytes());
        buffer.extend_from_slice(&count_out.to_be_bytes());
        buffer.resize(1024, 0);
        Ok(Payload::Commarea(buffer))
    }

    fn decode(&self, output: &Payload, out: &mut Vec<u8>) -> Result<Decoded, ConversionFailure> {
        let Payload::Commarea(area) = output else {
            return Err(ConversionFailure::BadValue("a COMMAREA is expected".into()));
        };
        if area.len() < 1024 {
            return Err(ConversionFailure::BadValue(
                "the COMMAREA is too short".into(),
            ));
        }
        let number = |at: usize| u32::from_be_bytes(area[at..at + 4].try_into().unwrap());
        let text =
            |at: usize, len: usize| String::from_utf8_lossy(&area[at..at + len]).into_owned();
        let mut json = format!(
            "{{\"COMM1KOperationResponse\":{{\"tranid\":\"{}\",\"user_data\":[",
            text(12, 4)
        );
        for element in 0..31 {
            let comma = if element == 0 { "" } else { "," };
            let _ = write!(
                json,
                "{comma}{{\"user_data\":\"{}\"}}",
                text(32 + element * 32, 32)
            );
        }
        let _ = write!(
            json,
            "],\"taskid\":{},\"rs_spare\":\"\",\"recv_size\":{},\"send_size\":{}}}}}",
            number(8),
            number(0),
            number(4)
        );
        out.extend_from_slice(json.as_bytes());
        Ok(Decoded::default())
    }
}

pub(crate) fn service(name: &str, program: &str) -> ServiceDefinition {
    ServiceDefinition {
        name: name.into(),
        description: "sample".into(),
        version: "1.0.0".into(),
        provider: "WOLA-1.0".into(),
        data_xform: String::new(),
        program: ProgramName::new(program).unwrap(),
        rest: None,
        transid: None,
        connection: "CICSREG".into(),
        reply_bytes_max: 16_384,
        conversion: Arc::new(Comm1k),
        request_schema: r#"{"type":"object","title":"request"}"#.into(),
        response_schema: r#"{"type":"object","title":"response"}"#.into(),
        invoke_uris: Vec::new(),
    }
}

pub(crate) fn api(name: &str, service: &str) -> ApiDefinition {
    let operation = |method: Method, path: &str| OperationDefinition {
        method,
        path: path.into(),
        service: service.into(),
        conversion: Some(Arc::new(Comm1k)),
    };
    ApiDefinition {
        name: name.into(),
        version: "1.0.0".into(),
        description: "R1".into(),
        base_path: format!("/{name}"),
        operations: vec![
            operation(Method::PUT, "/mapping/CABASIC-RS2/{countIn}"),
            operation(Method::POST, "/mapping/CABASIC-RS2/{countIn}"),
        ],
        swagger: r#"{"swagger":"2.0"}"#.into(),
        openapi: r#"{"openapi":"3.0.3"}"#.into(),
    }
}

pub(crate) fn any_port() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

/// Service and API `comm1k` in front of CABASIC.
pub(crate) fn start(config: GatewayConfig) -> Gateway {
    start_with(
        config,
        Programs::default().with("CABASIC", cabasic).region(),
    )
}

pub(crate) fn start_with(config: GatewayConfig, region: Arc<Programs>) -> Gateway {
    let gateway = Gateway::start(config, Regions::new(region)).unwrap();
    gateway
        .install(
            vec![service("comm1k", "CABASIC")],
            vec![api("comm1k", "comm1k")],
        )
        .unwrap();
    gateway
}

pub(crate) fn local() -> GatewayConfig {
    GatewayConfig::local(any_port())
}

pub(crate) fn http(gateway: &Gateway) -> SocketAddr {
    gateway.http().unwrap()
}
