//! REST services of the database, as clients of Db2 use them.

use crate::harness::{free_port, http, transom};
use crate::system::System;
use crate::tutorial::shell;
use crate::users::user;
use base64::Engine as _;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use transom_datasets::conformance::Cluster;

const JSON: (&str, &str) = ("content-type", "application/json");

/// The statement of R3, section 6, as it is printed.
const LIST: &str = r#"{
   "requestType": "createService",
   "sqlStmt": "SELECT EMPNO AS \"employeeNumber\", FIRSTNME AS \"firstName\", LASTNAME AS \"lastName\", WORKDEPT AS \"department\" FROM DSN81210.EMP ORDER BY LASTNAME",
   "serviceName": "employeeList",
   "description": "Returns a list of employees.",
   "collectionID": "SYSIBMSERVICE"
}"#;

const TABLES: &str = "CREATE TABLE DSN8C10.EMP (EMPNO CHAR(6) NOT NULL, FIRSTNME VARCHAR(12) NOT NULL, \
     LASTNAME VARCHAR(15) NOT NULL, WORKDEPT CHAR(3), HIREDATE DATE, SALARY DECIMAL(9,2), PRIMARY KEY(EMPNO));\n\
     CREATE ALIAS DSN81210.EMP FOR DSN8C10.EMP;\n\
     INSERT INTO DSN8C10.EMP VALUES ('100010', 'DAISY', 'SALISBURY', 'W01', '1998-10-01', 28258.00);\n\
     INSERT INTO DSN8C10.EMP VALUES ('100020', 'BRADLEY', 'PEEL', 'W03', '2000-02-07', 20819.00);\n";

/// A system with a table, and the port of its services.
fn system(dir: &Path, more: &str) -> (System, u16) {
    let port = free_port();
    let settings = format!("[region]\nAPPLID = \"REST\"\n{more}[dbrest]\nport = {port}\n");
    fs::write(dir.join("transom.toml"), settings).unwrap();
    if !dir.join("data/sql.db").exists() {
        fs::write(dir.join("tables.sql"), TABLES).unwrap();
        let (good, said, complaint) = transom(&["sql", ".", "--in", "tables.sql"], dir);
        assert!(good, "{said}{complaint}");
    }
    (System::start(dir), port)
}

fn asked(port: u16, method: &str, path: &str, user: &str, body: &str) -> (u16, Value) {
    let login = base64::engine::general_purpose::STANDARD.encode(user);
    let login = format!("Basic {login}");
    let mut headers = vec![JSON];
    if !user.is_empty() {
        headers.push(("authorization", &login));
    }
    let (status, text) = http(port, method, path, &headers, body.as_bytes());
    let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (status, value)
}

fn post(port: u16, path: &str, body: &str) -> (u16, Value) {
    asked(port, "POST", path, "", body)
}

fn made(port: u16, name: &str, statement: &str) {
    let body = json!({"requestType": "createService", "serviceName": name, "sqlStmt": statement});
    let (status, said) = post(port, "/services/DB2ServiceManager", &body.to_string());
    assert_eq!(status, 201, "{said}");
}

#[track_caller]
fn fails(answer: &(u16, Value), status: u16, part: &str) {
    let text = answer.1["StatusDescription"].as_str().unwrap_or_default();
    assert!(answer.0 == status && text.contains(part), "{answer:?}");
    assert_eq!(answer.1["StatusCode"], status);
}

#[test]
fn the_request_of_the_report_works_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let (running, port) = system(dir, "");
    let (status, said) = post(port, "/services/DB2ServiceManager", LIST);
    assert_eq!((status, &said["StatusCode"]), (201, &json!(201)), "{said}");
    let text = "DB2 Rest Service employeeList was created successfully.";
    assert_eq!(said["StatusDescription"], text);
    let again = post(port, "/services/DB2ServiceManager", LIST);
    fails(&again, 400, "exists already");

    let wanted = json!({
        "ResultSet Output": [
            {"employeeNumber": "100020", "firstName": "BRADLEY", "lastName": "PEEL", "department": "W03"},
            {"employeeNumber": "100010", "firstName": "DAISY", "lastName": "SALISBURY", "department": "W01"}
        ],
        "StatusCode": 200, "StatusDescription": "Execution Successful"
    });
    let path = "/services/SYSIBMSERVICE/employeeList";
    assert_eq!(post(port, path, ""), (200, wanted.clone()));
    let (status, said) = asked(port, "GET", path, "", "");
    let one = &said["employeeList"];
    assert_eq!(
        (status, &one["version"], &one["serviceStatus"]),
        (200, &json!("V1"), &json!("started"))
    );
    let row = &one["ResponseSchema"]["properties"]["ResultSet Output"]["items"]["properties"];
    assert_eq!(
        row["department"],
        json!({"type": ["null", "string"], "maxLength": 3, "description": "Nullable CHAR(3)"})
    );
    // It is there after a restart, too.
    assert!(running.stop());
    let (running, port) = system(dir, "");
    assert_eq!(post(port, path, "{}"), (200, wanted));
    let (_, all) = asked(port, "GET", "/services", "", "");
    let names = all["DB2Services"].as_array().unwrap().iter();
    let names: Vec<_> = names
        .map(|one| one["serviceName"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["DB2ServiceDiscover", "DB2ServiceManager", "employeeList"]
    );
    let gone = r#"{"requestType":"dropService","serviceName":"employeeList"}"#;
    let (status, said) = post(port, "/services/DB2ServiceManager", gone);
    assert_eq!(status, 200, "{said}");
    fails(&post(port, path, "{}"), 404, "was not found");
    assert!(running.stop());
}

#[test]
fn parameters_are_values_and_never_part_of_a_statement() {
    let folder = tempfile::tempdir().unwrap();
    let (running, port) = system(folder.path(), "");
    made(
        port,
        "byDept",
        "SELECT EMPNO, SALARY FROM DSN8C10.EMP WHERE WORKDEPT LIKE :workDept ORDER BY EMPNO",
    );
    let of = |body: &str| post(port, "/services/SYSIBMSERVICE/byDept", body);
    let rows = of(r#"{"workDept":"W%"}"#).1;
    assert_eq!(rows["ResultSet Output"].as_array().unwrap().len(), 2);
    assert_eq!(
        rows["ResultSet Output"][0].to_string(),
        r#"{"EMPNO":"100010","SALARY":28258.00}"#
    );
    for text in [
        "' OR 1=1 --",
        "W%'; DROP TABLE DSN8C10.EMP; --",
        "%' UNION SELECT NAME, 1 FROM SYSIBM.DSNSERVICE --",
    ] {
        let (status, said) = of(&json!({"workDept": text}).to_string());
        assert_eq!(
            (status, &said["ResultSet Output"]),
            (200, &json!([])),
            "{text}"
        );
    }
    fails(&of("{}"), 400, "the parameter workDept is missing");
    fails(&of(r#"{"workDept":5}"#), 400, "must be a string");
    fails(&of(r#"{"workDept":["W01"]}"#), 400, "must be a string");
    fails(&of(r#"{"workDept":"W"#), 400, "no JSON text");
    fails(&of("[]"), 400, "no JSON object");
    fails(&of(&"[".repeat(100_000)), 400, "no JSON text");

    made(
        port,
        "raise",
        "UPDATE DSN8C10.EMP SET SALARY = ?, HIREDATE = ? WHERE EMPNO = ?",
    );
    let raise = |body: &str| post(port, "/services/SYSIBMSERVICE/raise/V1", body);
    let (status, said) = raise(r#"{"P1":1e2,"P2":"10/01/1998","P3":"100010"}"#);
    let wanted =
        json!({"Update Count": 1, "StatusCode": 200, "StatusDescription": "Execution Successful"});
    assert_eq!((status, said), (200, wanted));
    assert_eq!(
        raise(r#"{"P1":null,"P2":null,"P3":"9"}"#).1["Update Count"],
        0
    );
    fails(
        &raise(r#"{"P1":0.001,"P2":null,"P3":"100010"}"#),
        400,
        "does not fit",
    );
    fails(
        &raise(r#"{"P1":"1","P2":null,"P3":"100010"}"#),
        400,
        "must be a number",
    );
    fails(
        &raise(r#"{"P1":1,"P2":"NOT_A_DATE","P3":"100010"}"#),
        500,
        "raise.(V1) execution failed due to SQLCODE=-180 SQLSTATE=22007, ",
    );
    // What failed is backed out, and what is refused changes nothing.
    let salary = of(r#"{"workDept":"W01"}"#).1;
    assert_eq!(
        salary["ResultSet Output"][0].to_string(),
        r#"{"EMPNO":"100010","SALARY":100.00}"#
    );
    assert!(running.stop());
}

#[test]
fn what_cannot_be_a_service_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (running, port) = system(folder.path(), "");
    for (statement, status, part) in [
        ("SELEKT 1", 500, "creation failed due to SQLCODE=-104"),
        ("SELECT X FROM NOWHERE", 500, "SQLCODE=-204"),
        ("SELECT NOBODY FROM DSN8C10.EMP", 500, "SQLCODE=-206"),
        ("DROP TABLE DSN8C10.EMP", 400, "a service is one SELECT"),
        ("CALL P(:A)", 400, "CALL"),
        ("SELECT COUNT(*) FROM DSN8C10.EMP", 400, "has no name"),
        (
            "SELECT EMPNO, LASTNAME AS EMPNO FROM DSN8C10.EMP",
            400,
            "two columns",
        ),
        (
            "SELECT X'01' AS B, CAST(EMPNO AS BINARY(6)) AS C FROM DSN8C10.EMP",
            400,
            "no form in JSON",
        ),
    ] {
        let body =
            json!({"requestType": "createService", "serviceName": "s", "sqlStmt": statement});
        let said = post(port, "/services/DB2ServiceManager", &body.to_string());
        fails(&said, status, part);
    }
    for (body, part) in [
        (
            r#"{"requestType":"createService","serviceName":"s"}"#,
            "sqlStmt is missing",
        ),
        (
            r#"{"requestType":"alterService","serviceName":"s"}"#,
            "alterService",
        ),
        (
            r#"{"requestType":"createService","serviceName":"a/b","sqlStmt":"SELECT EMPNO FROM DSN8C10.EMP"}"#,
            "serviceName has 1 to 128",
        ),
        (
            r#"{"requestType":"createService","serviceName":"s","sqlStmt":"SELECT EMPNO FROM DSN8C10.EMP","isolation":"UR"}"#,
            "isolation is UR",
        ),
        (
            r#"{"requestType":"createService","serviceName":"s","sqlStmt":"SELECT EMPNO FROM DSN8C10.EMP","explain":"YES"}"#,
            "explain is not done",
        ),
        (
            r#"{"requestType":"dropService","serviceName":"s"}"#,
            "was not found",
        ),
    ] {
        fails(&post(port, "/services/DB2ServiceManager", body), 400, part);
    }
    fails(&post(port, "/services/nothing", "{}"), 404, "nothing under");
    fails(&asked(port, "PUT", "/services", "", ""), 405, "PUT");
    let plain = http(
        port,
        "POST",
        "/services/DB2ServiceManager",
        &[("content-type", "text/plain")],
        b"{}",
    );
    assert_eq!(plain.0, 415, "{}", plain.1);
    assert!(running.stop());
}

#[test]
fn large_results_arrive_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (running, port) = system(folder.path(), "");
    let rows: Vec<String> = (0..5_000)
        .map(|n| format!("INSERT INTO BIG VALUES ({n}, '{}');", "x".repeat(500)))
        .collect();
    let script = format!(
        "CREATE TABLE BIG (N INTEGER NOT NULL, T VARCHAR(500));\n{}",
        rows.join("\n")
    );
    fs::write(folder.path().join("big.sql"), script).unwrap();
    let (good, _, complaint) = transom(&["sql", ".", "--in", "big.sql"], folder.path());
    assert!(good, "{complaint}");
    made(port, "big", "SELECT N, T FROM BIG ORDER BY N");
    let curl = format!(
        "curl -sf -H content-type:application/json -d '{{}}' http://localhost:{port}/services/SYSIBMSERVICE/big"
    );
    let (good, text) = shell(&curl, folder.path());
    assert!(good, "{text}");
    let said: Value = serde_json::from_str(&text).unwrap();
    let all = said["ResultSet Output"].as_array().unwrap();
    assert_eq!((all.len(), &said["StatusCode"]), (5_000, &json!(200)));
    assert!(all.iter().enumerate().all(|(n, row)| row["N"] == n));
    assert!(running.stop());
}

#[test]
fn users_prove_who_they_are_and_owners_may() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    fs::write(dir.join("transom.toml"), "[region]\nAPPLID = \"REST\"\n").unwrap();
    for (name, group) in [("alice", "SYSADM"), ("bob", "CLERKS"), ("carol", "CLERKS")] {
        let (good, said) = user(dir, &["add", name, "--group", group], "SECRET\n");
        assert!(good, "{said}");
    }
    let rules = "[authority]\n\"MDSNPK TRANSOM.SYSIBMSERVICE.LIST.EXECUTE\" = \"BOB READ\"\n";
    let (running, port) = system(dir, rules);
    let as_user = |user: &str, path: &str, body: &str| {
        asked(port, "POST", path, &format!("{user}:SECRET"), body)
    };
    let create = r#"{"requestType":"createService","serviceName":"list","sqlStmt":"SELECT EMPNO, USER AS \"BY\" FROM DSN8C10.EMP ORDER BY EMPNO"}"#;
    fails(
        &post(port, "/services/DB2ServiceManager", create),
        401,
        "password",
    );
    let wrong = asked(
        port,
        "POST",
        "/services/DB2ServiceManager",
        "alice:WRONG",
        create,
    );
    fails(&wrong, 401, "password");
    fails(
        &as_user("bob", "/services/DB2ServiceManager", create),
        500,
        "SQLCODE=-552",
    );
    let (status, said) = as_user("alice", "/services/DB2ServiceManager", create);
    assert_eq!(status, 201, "{said}");
    for user in ["alice", "bob"] {
        let (status, said) = as_user(user, "/services/SYSIBMSERVICE/list", "{}");
        assert_eq!(status, 200, "{said}");
        assert_eq!(
            said["ResultSet Output"][0]["BY"]
                .as_str()
                .map(str::trim_end),
            Some(user.to_uppercase().as_str())
        );
    }
    fails(
        &as_user("carol", "/services/SYSIBMSERVICE/list", "{}"),
        500,
        "SQLCODE=-551 SQLSTATE=42501",
    );
    let drop = r#"{"requestType":"dropService","serviceName":"list"}"#;
    fails(
        &as_user("bob", "/services/DB2ServiceManager", drop),
        500,
        "SQLCODE=-551",
    );
    let (_, all) = asked(port, "GET", "/services", "carol:SECRET", "");
    assert_eq!(all["DB2Services"].as_array().unwrap().len(), 2, "{all}");
    assert!(running.stop());
}

#[test]
fn services_run_on_a_server_as_on_the_embedded_engine() {
    let Some(cluster) = Cluster::of_test(Cluster::start()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (dir, port) = (folder.path(), free_port());
    let connect = cluster.connect();
    let settings = format!(
        "[region]\nAPPLID = \"REST\"\n[sql]\nengine = \"POSTGRES\"\npostgresql = \"{connect}\"\n[dbrest]\nport = {port}\n"
    );
    fs::write(dir.join("transom.toml"), settings).unwrap();
    fs::write(dir.join("tables.sql"), TABLES).unwrap();
    let (good, said, complaint) = transom(&["sql", ".", "--in", "tables.sql"], dir);
    assert!(good, "{said}{complaint}");
    let running = System::start(dir);
    assert_eq!(post(port, "/services/DB2ServiceManager", LIST).0, 201);
    let path = "/services/SYSIBMSERVICE/employeeList";
    let (status, said) = post(port, path, "");
    assert_eq!(
        (status, &said["ResultSet Output"][0]),
        (
            200,
            &json!({"employeeNumber": "100020", "firstName": "BRADLEY", "lastName": "PEEL", "department": "W03"})
        )
    );
    made(
        port,
        "byDept",
        "SELECT EMPNO, SALARY, HIREDATE FROM DSN8C10.EMP WHERE WORKDEPT LIKE :workDept ORDER BY EMPNO",
    );
    let of = |text: &str| {
        let body = json!({"workDept": text}).to_string();
        post(port, "/services/SYSIBMSERVICE/byDept", &body).1["ResultSet Output"].clone()
    };
    assert_eq!(
        of("W01")[0].to_string(),
        r#"{"EMPNO":"100010","SALARY":28258.00,"HIREDATE":"1998-10-01"}"#
    );
    assert_eq!(of("' OR 1=1 --"), json!([]));
    made(
        port,
        "raise",
        "UPDATE DSN8C10.EMP SET SALARY = ?, HIREDATE = ? WHERE EMPNO = ?",
    );
    let raise = |body: &str| post(port, "/services/SYSIBMSERVICE/raise/V1", body);
    let good = raise(r#"{"P1":1e2,"P2":"10/01/1998","P3":"100010"}"#);
    assert_eq!((good.0, &good.1["Update Count"]), (200, &json!(1)));
    fails(
        &raise(r#"{"P1":1,"P2":"NOT_A_DATE","P3":"100010"}"#),
        500,
        "raise.(V1) execution failed due to SQLCODE=-180 SQLSTATE=22007, ",
    );
    // Nobody sees that all sessions were ended.
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE application_name LIKE 'transom sql %'";
    cluster.sql("postgres", end).unwrap();
    assert_eq!(of("W01")[0]["SALARY"].to_string(), "100.00");
    // A server that is away is an SQLCODE; the services are there again with it.
    cluster.stop().unwrap();
    let body = r#"{"workDept":"W01"}"#;
    let (status, said) = post(port, "/services/SYSIBMSERVICE/byDept", body);
    assert!(status >= 500, "{status} {said}");
    cluster.begin().unwrap();
    assert_eq!(of("W01")[0]["SALARY"].to_string(), "100.00");
    assert!(running.stop());
}
