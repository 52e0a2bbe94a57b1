//! GenApp with its tables on a server: a customer is a row of two tables there and a record of a
//! file here, in one unit of work.
//!
//! The checkout is named by TRANSOM_GENAPP.

use crate::harness::transom;
use crate::import::{Imported, checkout};
use crate::s3270::S3270;
use transom_datasets::conformance::Cluster;

const OPTIONS: &[&str] = &[
    "--suggested",
    "--set",
    "USRHLQ=GENUSR",
    "--set",
    "KSDSCUS=GENUSR.GENAPP.KSDSCUST.TXT",
    "--set",
    "KSDSPOL=GENUSR.GENAPP.KSDSPOLY.TXT",
];

/// A new customer, up to the last field of the menu, and its answer.
fn add_customer(terminal: &mut S3270, last_name: &str) {
    next(terminal, "SSC1");
    terminal.expect("General Insurance Customer Menu");
    let fields = [
        "Ada",
        last_name,
        "1970-02-28",
        "Mill",
        "12",
        "AB1 2CD",
        "0123",
        "0456",
        "a@example.com",
    ];
    for (row, field) in (5..).zip(fields) {
        terminal.fill(row, 51, field);
    }
    terminal.fill(22, 25, "2");
    terminal.enter();
}

/// Ends what the terminal is in, and begins another transaction.
fn next(terminal: &mut S3270, transaction: &str) {
    terminal.pf(3);
    terminal.transaction(transaction);
}

/// What CECI says of the customer's record.
fn read(terminal: &mut S3270, customer: u32, said: &str) {
    let read = format!("CECI READ FILE(KSDSCUST) RIDFLD('{customer:010}') INTO(&A)");
    next(terminal, &read);
    terminal.enter();
    terminal.expect(said);
}

#[test]
fn a_customer_of_genapp_is_on_the_server_and_in_the_file_or_in_neither() {
    let Some(checkout) = checkout("TRANSOM_GENAPP") else {
        return;
    };
    let Some(cluster) = Cluster::of_test(Cluster::start()) else {
        return;
    };
    let system = Imported::of(&checkout, OPTIONS);
    let dir = system.dir();
    let toml = std::fs::read_to_string(dir.join("transom.toml")).unwrap();
    let server = format!(
        "[sql]\nengine = \"POSTGRES\"\npostgresql = \"{}\"\n",
        cluster.connect()
    );
    std::fs::write(dir.join("transom.toml"), toml.replace("[sql]\n", &server)).unwrap();
    // The deck of the checkout says nothing of recovery.
    for deck in std::fs::read_dir(dir.join("csd")).unwrap() {
        let deck = deck.unwrap().path();
        let text = std::fs::read_to_string(&deck).unwrap();
        let text = text.replace("Status(Enabled) ", "Status(Enabled) Recovery(Backoutonly)");
        std::fs::write(deck, text).unwrap();
    }
    let (good, said, complaint) = transom(&["sql", ".", "--in", "sql/tables.sql"], &dir);
    assert!(good, "{said}{complaint}");
    let rows = |of: &str| {
        let of = format!("SELECT {of}");
        cluster.sql("postgres", &of).unwrap()
    };
    let customers = "count(*) FROM \"GENASA1\".\"CUSTOMER\" WHERE \"LASTNAME\" LIKE";
    let (_region, mut terminal) = system.terminal("SSC1");

    add_customer(&mut terminal, "Byron");
    terminal.expect("New Customer Inserted");
    let number = rows("max(\"CUSTOMERNUMBER\") FROM \"GENASA1\".\"CUSTOMER_SECURE\"");
    let number: u32 = number.parse().unwrap();
    assert_eq!(rows(&format!("{customers} 'Byron%'")), "1");
    read(&mut terminal, number, "RESPONSE: NORMAL");

    // The server refuses the commit: the record is taken back, too.
    let late = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF NEW.\"LASTNAME\" LIKE 'Gordon%' THEN RAISE check_violation; END IF;
           RETURN NULL;
         END $$;
         CREATE CONSTRAINT TRIGGER late AFTER INSERT ON \"GENASA1\".\"CUSTOMER\"
           DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()";
    cluster.sql("postgres", late).unwrap();
    add_customer(&mut terminal, "Gordon");
    terminal.expect("abended ASP1");
    assert_eq!(rows(&format!("{customers} 'Gordon%'")), "0");
    read(&mut terminal, number + 1, "RESPONSE: NOTFND");

    // The file is closed: the program abends, and its row is backed out on the server.
    next(&mut terminal, "CEMT SET FILE(KSDSCUST) CLOSED");
    terminal.expect("NORMAL");
    add_customer(&mut terminal, "Noel");
    assert_eq!(rows(&format!("{customers} 'Noel%'")), "0");
    next(&mut terminal, "CEMT SET FILE(KSDSCUST) OPEN");
    add_customer(&mut terminal, "Milbanke");
    terminal.expect("New Customer Inserted");
    assert_eq!(rows(&format!("{customers} 'Milbanke%'")), "1");
    assert_eq!(
        rows("count(*) FROM pg_prepared_xacts"),
        "0",
        "nothing is left in doubt"
    );
}
