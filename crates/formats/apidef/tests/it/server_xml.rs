//! server.xml files: the outside sample, the one of the local adapters measurements, and broken
//! ones.

use crate::fixtures::outside;
use std::time::Duration;
use transom_apidef::server::{InterceptorKind, Secret, ServerConfig, UpdateTrigger};

#[test]
fn the_banking_sample() {
    let Some(bytes) = outside("server.xml") else {
        return;
    };
    let config = ServerConfig::parse("server.xml", std::str::from_utf8(&bytes).unwrap()).unwrap();
    assert_eq!(config.features.len(), 3);
    let endpoint = &config.endpoints[0];
    assert_eq!(
        (
            endpoint.host.as_str(),
            endpoint.http_port,
            endpoint.https_port
        ),
        ("*", Some(30701), Some(30702))
    );
    let user = &config.registries[0].users[0];
    assert_eq!(
        (user.name.as_str(), user.password.clear()),
        ("ibmuser", Some("SYS1"))
    );
    assert_eq!(
        (
            config.roles[0].name.as_str(),
            config.roles[0].users.as_slice()
        ),
        ("zosConnectAccess", &["ibmuser".to_owned()][..])
    );
    assert_eq!(config.cors[0].allowed_methods.len(), 5);
    assert_eq!(config.cors[0].max_age, Some(Duration::from_secs(3600)));
    assert_eq!(config.config.trigger, UpdateTrigger::Mbean);
    assert_eq!(config.config.interval, Some(Duration::from_millis(500)));
    assert_eq!(
        (config.apis.trigger, config.apis.polling_rate),
        (UpdateTrigger::Disabled, Some(Duration::from_secs(5)))
    );
    assert!(
        !config.manager.require_auth
            && !config.manager.require_secure
            && config.manager.utf8_response
    );
    let connection = &config.cics_connections[0];
    assert_eq!(
        (
            connection.id.as_str(),
            connection.host.as_str(),
            connection.port
        ),
        ("cicsConn", "localhost", Some(30709))
    );
    let notices: Vec<String> = config
        .notices
        .iter()
        .map(|p| p.id_first().to_string())
        .collect();
    assert_eq!(
        notices,
        [
            "TXMAD0041W server.xml:73:2: the element applicationMonitor is accepted and has no effect"
        ]
    );
}

const LOCAL_ADAPTERS: &str = r#"<server>
<featureManager><feature>zosconnect:zosconnect-2.0</feature><feature>zosLocalAdapters-1.0</feature></featureManager>
<zsoLocalAdapters wolaGroup="CATMGR1" wolaName2="CATMGR2" wolaName3="CATMGR3" />
<connectionFactory id="wolaCF" jndiName="eis/ola"><properties.ola/></connectionFactory>
<zsoconnect_localAdaptersConnectService id="wolaCABASIC" registerName="CICSREG" serviceName="CABASIC" connectionFactoryRef="wolaCF"/>
<zsoconnect_zosConnectService id="comm1k_id" requireAuth="false" requireSecure="false" serviceName="comm1k"
  serviceRef="wolaCABASIC" dataXformRef="xformJSON2Byte" invokeURI="/a, /b/*" />
<zosconnect_zosConnectDataXform id="xformJSON2Byte" bindFileLoc="${base}/bindfiles" bindFileSuffix=".wsbind"
  requestSchemaLoc="${base}/schemas" responseSchemaLoc="${base}/schemas" requestSchemaSuffix=".json" responseSchemaSuffix=".json"/>
<variable name="base" value="/u/ctgperf"/>
</server>"#;

#[test]
fn local_adapters_as_printed_with_their_misspelling() {
    let config = ServerConfig::parse("server.xml", LOCAL_ADAPTERS).unwrap();
    let adapters = config.local_adapters.as_ref().unwrap();
    assert_eq!(
        (
            adapters.group.as_str(),
            adapters.name2.as_str(),
            adapters.name3.as_str()
        ),
        ("CATMGR1", "CATMGR2", "CATMGR3")
    );
    assert!(config.connection_factories[0].ola.is_some());
    let program = &config.local_adapters_services[0];
    assert_eq!(
        (
            program.register_name.as_str(),
            program.service_name.as_str()
        ),
        ("CICSREG", "CABASIC")
    );
    let service = &config.connect_services[0];
    assert_eq!(
        (service.service_name.as_str(), service.service_ref.as_str()),
        ("comm1k", "wolaCABASIC")
    );
    assert_eq!(service.invoke_uris, ["/a", "/b/*"]);
    assert_eq!(service.overrides.require_auth, Some(false));
    let xform = &config.data_xforms[0];
    assert_eq!(
        (xform.bind_file_folder.as_str(), xform.polling_rate),
        ("/u/ctgperf/bindfiles", Duration::from_secs(2))
    );
    let notices: Vec<&str> = config.notices.iter().map(|n| n.id()).collect();
    assert_eq!(notices, ["TXMAD0042W"; 3]);
}

#[test]
fn passwords_interceptors_and_overrides() {
    let text = r#"<server><include location="${shared.dir}/more.xml" optional="true"/>
      <basicRegistry><user name="a" password="{xor}LDo8LTor"/>
        <user name="b" password="{hash}ATAAAAACAAFAAAAAAwECAw=="/><group name="g"><member name="a"/></group></basicRegistry>
      <zosconnect_zosConnectManager requireAuth="true" globalInterceptorsRef="list" globalInvokeGroup="G1,G2" asyncRequestTimeout="20s"/>
      <zosconnect_zosConnectInterceptors id="list" interceptorRef="auth, audit"/>
      <zosconnect_authorizationInterceptor id="auth" sequence="1"/>
      <zosconnect_auditInterceptor id="audit" sequence="2" apiProviderSmfVersion="2" apiProviderRequestHeaders="X-A,X-B"/>
      <zosconnect_zosConnectAPIs><zosConnectAPI name="catalog" requireAuth="false" runGlobalInterceptors="false"/></zosconnect_zosConnectAPIs>
      <logging traceSpecification="*=info" consoleLogLevel="INFO"/></server>"#;
    let config = ServerConfig::parse("server.xml", text).unwrap();
    let users = &config.registries[0].users;
    assert_eq!(users[0].password.clear(), Some("secret"));
    let Secret::Hash(hash) = &users[1].password else {
        panic!()
    };
    assert_eq!(
        (hash.salt.as_slice(), hash.digest.as_slice()),
        (&[0u8, 1][..], &[1u8, 2, 3][..])
    );
    assert_eq!(
        format!("{:?}", users[0]),
        "User { name: \"a\", password: Secret(*) }"
    );
    assert_eq!(config.interceptor_lists["list"], ["auth", "audit"]);
    assert!(
        matches!(&config.interceptors[1].kind, InterceptorKind::Audit { smf_version: 2, request_headers, .. } if request_headers.len() == 2)
    );
    assert_eq!(config.manager.groups.invoke, ["G1", "G2"]);
    assert_eq!(
        config.manager.request_timeout,
        Some(Duration::from_secs(20))
    );
    assert_eq!(
        (
            config.apis.overrides[0].name.as_str(),
            config.apis.overrides[0].require_auth
        ),
        ("catalog", Some(false))
    );
    assert!(config.includes[0].optional && config.includes[0].location == "${shared.dir}/more.xml");
    let notices: Vec<String> = config
        .notices
        .iter()
        .map(|p| p.id_first().to_string())
        .collect();
    assert_eq!(
        notices,
        [
            "TXMAD0043W server.xml:1:9: the variable ${shared.dir} has no value here",
            "TXMAD0041W server.xml:9:7: the element logging is accepted and has no effect",
        ]
    );
}

#[test]
fn several_documents_are_one_configuration() {
    let config = ServerConfig::read(&[
        (
            "a.xml",
            "<server><httpEndpoint id='d' httpPort='${port}' httpsPort='-1'/></server>",
        ),
        (
            "b.xml",
            "<server><variable name='port' value='2222'/><sslDefault sslRef='s'/></server>",
        ),
    ])
    .unwrap();
    assert_eq!(
        (
            config.endpoints[0].http_port,
            config.endpoints[0].https_port
        ),
        (Some(2222), None)
    );
    assert!(config.notices.is_empty() && config.manager.require_auth);
}

#[test]
fn broken_files_say_where() {
    for (text, expected) in [
        ("<server>\n <cors>\n</server>", "TXMAD0005E s.xml:3:1:"),
        (
            "<server>\n <httpEndpoint httpPort='80x'/></server>",
            "TXMAD0040E s.xml:2:2: httpEndpoint: httpPort=\"80x\" must be a number",
        ),
        (
            "<server><keyStore password='{aes}AAAA'/></server>",
            "TXMAD0040E s.xml:1:9: keyStore: an {aes} password",
        ),
        (
            "<server><zosconnect_zosConnectService id='x'/></server>",
            "TXMAD0040E s.xml:1:9: zosconnect_zosConnectService: the attribute serviceName is missing",
        ),
        (
            "<config/>",
            "TXMAD0040E s.xml:1:1: the root element is config, not server",
        ),
        ("<server><a b='&x;'/></server>", "TXMAD0005E s.xml:1:9:"),
    ] {
        let error = ServerConfig::parse("s.xml", text)
            .unwrap_err()
            .id_first()
            .to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
}
