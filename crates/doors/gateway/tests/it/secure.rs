//! TLS, logon, roles, groups and the records interceptors write.

use crate::http::Client;
use crate::region::{Programs, cabasic};
use crate::support::{FIGURE_2, PUT_1K, any_port, http, local, start, start_with};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use transom_apidef::server::ServerConfig;
use transom_gateway::{AuditOptions, Gateway, GatewayConfig, Interceptor, UserConfig};
use transom_messages::Operator;
use transom_tcpip::{Tls, create_self_signed};

/// `user:password` as a header value.
fn basic(pair: &str) -> String {
    use base64::Engine as _;
    format!(
        "Basic {}",
        base64::engine::general_purpose::STANDARD.encode(pair)
    )
}

fn put(client: &mut Client<TcpStream>, pair: Option<&str>) -> crate::http::Reply {
    let value = pair.map(basic);
    let headers: Vec<(&str, &str)> = value
        .iter()
        .map(|v| ("Authorization", v.as_str()))
        .collect();
    client.send("PUT", PUT_1K, &headers, FIGURE_2.as_bytes())
}

fn with_users(mut config: GatewayConfig) -> GatewayConfig {
    config.manager.require_auth = true;
    let user = |name: &str, password: &str| UserConfig {
        name: name.into(),
        password: password.into(),
    };
    config.registry.realm = "zosConnect".into();
    config.registry.users = vec![
        user("ibmuser", "SYS1"),
        user("fred", "{xor}LDo8LTor"),
        user("norole", "x"),
    ];
    config.registry.groups = vec![("callers".into(), vec!["fred".into()])];
    config.registry.access_users = ["ibmuser".to_owned(), "fred".to_owned()].into();
    config
}

#[test]
fn a_user_with_the_role_comes_in_and_the_password_is_hashed_once() {
    let region = Programs::default().with("CABASIC", cabasic).region();
    let mut config = with_users(local());
    config.threads = 1;
    let gateway = start_with(config, region.clone());
    let mut client = Client::connect(http(&gateway));
    let reply = put(&mut client, None);
    assert_eq!(reply.status, 401);
    assert_eq!(
        reply.header("www-authenticate"),
        Some("Basic realm=\"zosConnect\"")
    );
    assert_eq!(put(&mut client, Some("ibmuser:wrong")).status, 401);
    assert_eq!(put(&mut client, Some("nobody:SYS1")).status, 401);
    for _ in 0..20 {
        assert_eq!(put(&mut client, Some("ibmuser:SYS1")).status, 200);
    }
    assert_eq!(gateway.statistics().passwords_checked, 3);
    let userid = region.last.lock().unwrap().take().unwrap().userid.unwrap();
    assert_eq!(userid.as_str(), "IBMUSER");
    assert_eq!(put(&mut client, Some("fred:secret")).status, 200);
    let reply = put(&mut client, Some("norole:x"));
    assert_eq!(reply.status, 403);
    assert_eq!(
        reply.json()["errorDetails"],
        "zosConnectAccess authority is needed."
    );
}

#[test]
fn refused_logons_and_changes_are_told_with_the_user() {
    let lines = Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut config = with_users(local());
    let seen = lines.clone();
    config.operator = Operator::new(move |line| seen.lock().unwrap().push(line.to_string()));
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    assert_eq!(put(&mut client, None).status, 401);
    assert!(lines.lock().unwrap().is_empty(), "nobody tried to log on");
    assert_eq!(put(&mut client, Some("ibm\nuser:wrong")).status, 401);
    let user = basic("ibmuser:SYS1");
    let path = "/zosConnect/apis/comm1k?status=stopped";
    let reply = client.send("PUT", path, &[("Authorization", &user)], b"");
    assert_eq!(reply.status, 200);
    assert_eq!(
        *lines.lock().unwrap(),
        [
            "TXMGW0016W Logon of user ibm?user from 127.0.0.1 is refused",
            "TXMGW0015I API comm1k is stopped by user ibmuser from 127.0.0.1",
        ]
    );
}

#[test]
fn groups_of_the_authorization_interceptor_hold() {
    let mut config = with_users(local());
    config
        .interceptors
        .insert("auth".into(), Interceptor::Authorization);
    config.manager.interceptors = vec!["auth".into()];
    config.manager.groups.invoke = ["callers".to_owned()].into();
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    assert_eq!(put(&mut client, Some("fred:secret")).status, 200);
    let reply = put(&mut client, Some("ibmuser:SYS1"));
    assert_eq!(reply.status, 403);
    assert!(reply.text().contains("BAQR0435W"), "{}", reply.text());
    let fred = basic("fred:secret");
    let reply = client.send("GET", "/zosConnect/apis", &[("Authorization", &fred)], b"");
    assert_eq!(reply.status, 403);
}

#[test]
fn a_scope_may_be_open_while_the_rest_is_closed() {
    let mut config = with_users(local());
    let open = transom_gateway::Scope {
        require_auth: Some(false),
        ..Default::default()
    };
    config.apis.insert("comm1k".into(), open);
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    assert_eq!(put(&mut client, None).status, 200);
    assert_eq!(client.get("/zosConnect/services").status, 401);
}

#[test]
fn https_serves_and_http_points_to_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("key.pem");
    create_self_signed(&file, &["localhost", "127.0.0.1"]).unwrap();
    let mut config = local();
    config.https = Some((
        any_port(),
        Tls::from_pem_files(std::slice::from_ref(&file)).unwrap(),
    ));
    config.manager.require_secure = true;
    let gateway = start(config);
    let reply = Client::connect(http(&gateway)).get(&format!("{PUT_1K}?a=b"));
    assert_eq!(reply.status, 405);
    let reply = put(&mut Client::connect(http(&gateway)), None);
    let port = gateway.https().unwrap().port();
    assert_eq!(reply.status, 302);
    assert_eq!(
        reply.header("location").unwrap(),
        format!("https://gateway.localhost:{port}{PUT_1K}")
    );
    for _ in 0..3 {
        let mut client = tls_client(&gateway, &file);
        for _ in 0..3 {
            assert_eq!(client.json("PUT", PUT_1K, FIGURE_2).status, 200);
        }
        let list = client.get("/zosConnect/apis").json();
        assert_eq!(
            list["apis"][0]["adminUrl"],
            "https://gateway.localhost:2222/zosConnect/apis/comm1k"
        );
    }
    assert_eq!(gateway.stop(Duration::from_secs(2)), 0);
}

fn tls_client(
    gateway: &Gateway,
    file: &Path,
) -> Client<rustls::StreamOwned<rustls::ClientConnection, TcpStream>> {
    let mut roots = rustls::RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(file).unwrap())
        .unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let client = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = TcpStream::connect(gateway.https().unwrap()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    Client::over(rustls::StreamOwned::new(client, stream))
}

#[test]
fn audit_and_logger_write_a_line_per_request_without_secrets() {
    let dir = tempfile::tempdir().unwrap();
    let (audit, log) = (
        dir.path().join("logs/smf123.jsonl"),
        dir.path().join("requests.log"),
    );
    let mut config = with_users(local());
    let options = AuditOptions {
        version: 2,
        request_headers: vec!["X-Tenant".into()],
        ..AuditOptions::default()
    };
    config
        .interceptors
        .insert("audit".into(), Interceptor::Audit(audit.clone(), options));
    config
        .interceptors
        .insert("log".into(), Interceptor::FileLogger(log.clone()));
    config.manager.interceptors = vec!["audit".into(), "log".into()];
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    let user = basic("fred:secret");
    let headers = [("Authorization", user.as_str()), ("X-Tenant", "blue")];
    let path = format!("{PUT_1K}?trace=1");
    assert_eq!(
        client
            .send("PUT", &path, &headers, FIGURE_2.as_bytes())
            .status,
        200
    );
    assert_eq!(put(&mut client, Some("fred:wrong")).status, 401);
    assert_eq!(gateway.statistics().records_dropped, 0);
    gateway.stop(Duration::from_secs(1));
    let text = std::fs::read_to_string(audit).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    let first = &lines[0];
    assert_eq!(first["SMF123S1_API_NAME"], "comm1k");
    assert_eq!(first["SMF123S1_SERVICE_NAME"], "comm1k");
    assert_eq!(first["SMF123S1_USER_NAME"], "fred");
    assert_eq!(first["SMF123S1_USER_NAME_MAPPED"], "FRED");
    assert_eq!(first["SMF123S1_HTTP_RESP_CODE"], 200);
    assert_eq!(first["SMF123S1_REQ_METHOD"], "PUT");
    assert_eq!(first["SMF123S1_REQ_QUERY_STR"], "trace=1");
    assert_eq!(first["SMF123S1_SOR_RESOURCE"], "CABASIC");
    assert_eq!(first["SMF123S1_REQ_HDR1"], "X-Tenant: blue");
    assert_eq!(first["SMF123S1_REQ_PAYLOAD_LEN"], FIGURE_2.len());
    assert!(first["SMF123S1_TIME_SOR_SENT"].as_str() >= first["SMF123S1_TIME_ZC_ENTRY"].as_str());
    assert_eq!(lines[1]["SMF123S1_HTTP_RESP_CODE"], 401);
    let log = std::fs::read_to_string(log).unwrap();
    assert_eq!(log.lines().count(), 2);
    assert!(log.contains("127.0.0.1 fred \"PUT /comm1k/mapping/CABASIC-RS2/1?trace=1\" 200"));
    for secret in ["secret", "wrong", user.trim_start_matches("Basic ")] {
        assert!(!text.contains(secret) && !log.contains(secret));
    }
}

#[test]
fn a_server_xml_becomes_a_gateway() {
    let dir = tempfile::tempdir().unwrap();
    let xml = r#"<server>
        <keyStore id="defaultKeyStore" password="Liberty"/>
        <httpEndpoint id="defaultHttpEndpoint" host="localhost" httpPort="0" httpsPort="0"/>
        <basicRegistry id="b" realm="r"><user name="u" password="p"/></basicRegistry>
        <authorization-roles id="zos.connect.access.roles">
          <security-role name="zosConnectAccess"><user name="u"/></security-role>
        </authorization-roles>
        <cors id="c" domain="/" allowedOrigins="*" allowedMethods="GET" maxAge="3600"/>
        <zosconnect_zosConnectAPIs updateTrigger="polled" pollingRate="2s"/>
        <zosconnect_zosConnectManager requireAuth="true" requireSecure="false"
            setUTF8ResponseEncoding="true" asyncRequestTimeout="10s"/>
      </server>"#;
    let server = ServerConfig::parse("server.xml", xml).unwrap();
    let read = GatewayConfig::from_server_xml(&server, dir.path(), &Operator::nobody()).unwrap();
    assert!(
        read.notices.iter().any(|n| n.id() == Some("TXMTC0004I")),
        "{:?}",
        read.notices
    );
    let config = &read.config;
    assert_eq!(config.apis_poll, Some(Duration::from_secs(2)));
    assert_eq!(
        config.manager.request_timeout,
        Some(Duration::from_secs(10))
    );
    let gateway = start(read.config);
    let mut client = Client::connect(http(&gateway));
    assert_eq!(put(&mut client, None).status, 401);
    let reply = put(&mut client, Some("u:p"));
    assert_eq!(reply.status, 200);
    assert_eq!(
        reply.header("content-type"),
        Some("application/json;charset=UTF-8")
    );
    assert!(gateway.https().is_some());
}
