//! The typed views.

use crate::{BANK, read};
use transom_csd::{
    Api, Concurrency, Csd, DefError, Definition, Language, ProgramDef, ResourceKind, Runaway,
    TranclassDef, TransactionDef,
};

fn definition(csd: &Csd, name: &str) -> Definition {
    csd.group("MYBANK")
        .unwrap()
        .iter()
        .find(|d| d.name == name)
        .unwrap()
        .clone()
}

#[test]
fn programs() {
    let (csd, _) = read(BANK);
    let menu = ProgramDef::from_definition(&definition(&csd, "MYBMENU")).unwrap();
    assert_eq!(menu.name.as_str(), "MYBMENU");
    assert_eq!(menu.language, Language::Cobol);
    assert_eq!(menu.concurrency, Concurrency::Threadsafe);
    assert_eq!(menu.api, Api::Cics);
    assert!(menu.enabled && menu.cedf && menu.data_any && !menu.reload && !menu.jvm);
    assert_eq!(menu.remote_system, None);

    let (csd, problems) = read(
        " DEFINE PROGRAM(P) GROUP(MYBANK) STATUS(DISABLED) REMOTESYSTEM(AOR1)\n\
          REMOTENAME(Q) TRANSID(ABCD) API(OPENAPI) CONCURRENCY(REQUIRED)\n",
    );
    assert_eq!(problems, [""; 0]);
    let remote = ProgramDef::from_definition(&definition(&csd, "P")).unwrap();
    assert!(!remote.enabled);
    assert_eq!(remote.language, Language::Deduced);
    assert_eq!(remote.api, Api::Open);
    assert_eq!(remote.concurrency, Concurrency::Required);
    assert_eq!(remote.remote_system.unwrap().as_str(), "AOR1");
    assert_eq!(remote.remote_name.unwrap().as_str(), "Q");
    assert_eq!(remote.transid.unwrap().as_str(), "ABCD");
}

#[test]
fn transactions() {
    let (csd, _) = read(BANK);
    let first = TransactionDef::from_definition(&definition(&csd, "MYB1")).unwrap();
    assert_eq!(first.transid.as_str(), "MYB1");
    assert_eq!(first.program.unwrap().as_str(), "MYBMENU");
    assert_eq!(first.priority, 50);
    assert_eq!(first.tranclass.unwrap().as_str(), "MYBCLASS");
    assert_eq!(first.dtimout_s, Some(90));
    assert_eq!(first.runaway, Runaway::Millis(5000));
    assert!(first.spurge && !first.tpurge && first.task_data_any && first.enabled);

    let second = TransactionDef::from_definition(&definition(&csd, "MYB2")).unwrap();
    assert_eq!(second.tranclass, None);
    assert_eq!(second.dtimout_s, None);
    assert_eq!(second.runaway, Runaway::System);
    assert_eq!((second.priority, second.twa_size), (1, 0));
    assert_eq!(second.profile, "DFHCICST");
}

#[test]
fn classes() {
    let (csd, _) = read(BANK);
    let class = TranclassDef::from_definition(&definition(&csd, "MYBCLASS")).unwrap();
    assert_eq!(class.name.as_str(), "MYBCLASS");
    assert_eq!((class.max_active, class.purge_thresh), (1, Some(10)));
    let (csd, _) = read(" DEFINE TRANCLASS(T) GROUP(MYBANK) MAXACTIVE(0)\n");
    let closed = TranclassDef::from_definition(&definition(&csd, "T")).unwrap();
    assert_eq!((closed.max_active, closed.purge_thresh), (0, None));
}

#[test]
fn a_view_of_another_kind_is_refused() {
    let (csd, _) = read(BANK);
    let transaction = definition(&csd, "MYB1");
    let wrong = ProgramDef::from_definition(&transaction);
    assert_eq!(wrong, Err(DefError::Kind(ResourceKind::Transaction)));
}
