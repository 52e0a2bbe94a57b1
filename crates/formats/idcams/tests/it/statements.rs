//! Statements as users write them.

use transom_idcams::{
    Command, Comparison, EntryType, KeyValue, Organization, Place, PrintFormat, Register, Script,
    StatementKind, parse_text,
};

fn commands(text: &str) -> Vec<Command> {
    let script = parse_text(text);
    assert!(
        script.problems.iter().all(|p| !p.is_error()),
        "{:?}",
        script.problems
    );
    script
        .statements
        .into_iter()
        .filter_map(|s| match s.kind {
            StatementKind::Command(command) => Some(*command),
            _ => None,
        })
        .collect()
}

fn problems(script: &Script) -> Vec<String> {
    script
        .problems
        .iter()
        .map(|p| p.place_first().to_string())
        .collect()
}

#[test]
fn a_cluster_with_data_and_index() {
    let list = commands(
        "   DEFINE CLUSTER (NAME(AWS.M2.CARDDEMO.ACCTDATA.VSAM.KSDS) -                   00010000
          CYLINDERS(1 5) -                                              00020000
          VOLUMES(AWSHJ1 -
          ) -
          KEYS(11 0) -
          RECORDSIZE(300 300) -
          SHAREOPTIONS(2 3) -
          ERASE -
          INDEXED -
          ) -
          DATA (NAME(AWS.M2.CARDDEMO.ACCTDATA.VSAM.KSDS.DATA) -
          ) -
          INDEX (NAME(AWS.M2.CARDDEMO.ACCTDATA.VSAM.KSDS.INDEX) -
          )
",
    );
    let [Command::DefineCluster(cluster)] = &list[..] else {
        panic!("{list:?}")
    };
    assert_eq!(cluster.name, "AWS.M2.CARDDEMO.ACCTDATA.VSAM.KSDS");
    assert_eq!(cluster.organization, Organization::Indexed);
    assert_eq!(
        (
            cluster.key_len,
            cluster.key_offset,
            cluster.average_len,
            cluster.max_len
        ),
        (11, 0, 300, 300)
    );
    assert_eq!(
        cluster.kept.data_name.as_deref(),
        Some("AWS.M2.CARDDEMO.ACCTDATA.VSAM.KSDS.DATA")
    );
    assert!(!cluster.reuse && cluster.log.is_none());
}

#[test]
fn abbreviations_commas_and_parameters_of_the_data_component() {
    let list = commands(
        "DEF CL(NAME(A.B) NIXD RUS RECSZ(80,120) CYL(1,1)) -
 DATA(NAME(A.B.D) CISZ(4096))
DEF CL (NAME(A.C)) DATA(KEYS(4 8) RECSZ(20 20))
DEF CL (NAME(A.R) NUMD LOG(ALL))",
    );
    let [
        Command::DefineCluster(b),
        Command::DefineCluster(c),
        Command::DefineCluster(r),
    ] = &list[..]
    else {
        panic!("{list:?}")
    };
    assert!(
        b.organization == Organization::NonIndexed && b.reuse && b.max_len == 120 && b.key_len == 0
    );
    assert_eq!((c.key_len, c.key_offset, c.max_len), (4, 8, 20));
    assert_eq!(r.log, Some(transom_idcams::Log::All));
}

#[test]
fn alternate_index_path_and_build() {
    let list = commands(
        "   DEFINE ALTERNATEINDEX (NAME(CARD.AIX)-
   RELATE(CARD.KSDS)                    -
   KEYS(11 16)  NONUNIQUEKEY  UPGRADE RECORDSIZE(150,150) -
   VOLUMES(AWSHJ1) CYLINDERS(5,1)) -
   DATA (NAME(CARD.AIX.DATA))           -
   INDEX (NAME(CARD.AIX.INDEX))
  DEFINE PATH (NAME(CARD.PATH) PATHENTRY(CARD.AIX))
  BIX IDS(CARD.KSDS) ODS(CARD.AIX)",
    );
    let [
        Command::DefineAix(aix),
        Command::DefinePath(path),
        Command::BuildIndex(build),
    ] = &list[..]
    else {
        panic!("{list:?}")
    };
    assert_eq!(
        (aix.relate.as_str(), aix.key_len, aix.key_offset),
        ("CARD.KSDS", 11, 16)
    );
    assert!(!aix.unique && aix.upgrade);
    assert_eq!((path.entry.as_str(), path.update), ("CARD.AIX", true));
    assert_eq!(build.indexes, [Place::Dataset("CARD.AIX".into())]);
}

#[test]
fn records_are_chosen_by_key_or_count() {
    let list = commands(
        "REPRO INFILE(IN) OUTDATASET(A.B) FROMKEY('AB C') TOKEY(X'C1C2') REPLACE
PRINT IDS(A.B) FROMKEY(00012*) COUNT(5) CHAR",
    );
    let [Command::Repro(repro), Command::Print(print)] = &list[..] else {
        panic!("{list:?}")
    };
    let from = KeyValue {
        bytes: b"AB C".to_vec(),
        generic: false,
    };
    assert_eq!(repro.range.from_key, Some(from));
    assert_eq!(
        repro.range.to_key.as_ref().map(|k| k.bytes.clone()),
        Some(vec![0xC1, 0xC2])
    );
    assert!(repro.replace);
    assert_eq!(print.range.from_key.as_ref().map(|k| k.generic), Some(true));
    assert_eq!(
        (print.range.count, print.format),
        (Some(5), PrintFormat::Character)
    );
}

#[test]
fn conditions_and_blocks() {
    let script = parse_text(
        " DELETE A.B CLUSTER
 IF MAXCC LE 08 THEN SET MAXCC = 0
 IF LASTCC=0 THEN -
   DO
     VERIFY DATASET(A.B)   /* every time */
     LISTCAT ENT(A.B) ALL
   END
 ELSE -
   DELETE (A.C A.D) PURGE
",
    );
    assert_eq!(problems(&script), [""; 0]);
    let [_, first, second] = &script.statements[..] else {
        panic!("{script:?}")
    };
    let StatementKind::If {
        test,
        then,
        otherwise,
    } = &first.kind
    else {
        panic!("{first:?}")
    };
    assert_eq!(
        (test.register, test.comparison, test.value),
        (Register::Max, Comparison::LessOrEqual, 8)
    );
    assert_eq!(
        then[0].kind,
        StatementKind::Set {
            register: Register::Max,
            value: 0
        }
    );
    assert!(otherwise.is_empty());
    let StatementKind::If {
        then, otherwise, ..
    } = &second.kind
    else {
        panic!("{second:?}")
    };
    assert_eq!((then.len(), otherwise.len()), (2, 1));
    assert_eq!((second.line, second.last_line), (3, 9));
}

#[test]
fn comments_and_plus() {
    let list = commands(
        "/* a comment of
   two lines */
DELETE AWS.M2.CARD+
       DEMO.X /* not - a mark */ -
       CLUSTER",
    );
    let [Command::Delete(delete)] = &list[..] else {
        panic!("{list:?}")
    };
    assert_eq!(delete.entries[0].text, "AWS.M2.CARDDEMO.X");
    assert_eq!(delete.kind, Some(EntryType::Cluster));
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let script = parse_text(
        "DEFINE CLUSTR (NAME(A.B))
DEFINE CLUSTER (NAME(A.TOOLONGNAME) KEYS(300 0) RECORDSIZ(80 80))
DELET A.B
  PURGE
DEFINE CLUSTER (NAME(A.B)
  KEYS(1 0))
DCOLLECT A.B
DELETE A.C
DEFINE CLUSTER (NAME(A.B) LINEAR)
IF MAXCC > 4 DELETE A.B
SET MAXCC 0
REPRO INFILE(A)
",
    );
    assert_eq!(
        problems(&script),
        [
            "1:8: TXMID0006E DEFINE CLUSTR is not known; CLUSTER, ALTERNATEINDEX and PATH are",
            "2:22: TXMID0009E DEFINE CLUSTER: A.TOOLONGNAME: the name has the qualifier TOOLONGNAME of more than 8 characters",
            "2:37: TXMID0009E DEFINE CLUSTER: KEYS(300,0): a key has 1 to 255 bytes",
            "2:49: TXMID0007E RECORDSIZ is no parameter of DEFINE CLUSTER; did you mean RECORDSIZE?",
            "3:1: TXMID0001E DELET is no command; did you mean DELETE?",
            "5:16: TXMID0005E a ( has no closing ); a line in the middle of a statement ends with -",
            "7:1: TXMID0006E DCOLLECT is not supported",
            "9:27: TXMID0012E LINEAR of DEFINE CLUSTER is not supported",
            "10:14: TXMID0002E IF: THEN is expected",
            "11:1: TXMID0002E SET: LASTCC or MAXCC, = and a number are expected",
            "12:1: TXMID0008E REPRO: OUTFILE or OUTDATASET is missing",
        ]
    );
    let used = script
        .statements
        .iter()
        .filter(|s| matches!(s.kind, StatementKind::Command(_)))
        .count();
    assert_eq!(used, 1, "DELETE A.C");
}

#[test]
fn margins_can_be_changed() {
    let text = format!("PARM MARGINS(1 100)\nDELETE A.B{:80}CLUSTER\n", "");
    let [Command::Delete(delete)] = &commands(&text)[..] else {
        panic!()
    };
    assert_eq!(delete.kind, Some(EntryType::Cluster));
}

#[test]
fn of_the_line_after_then_only_do_belongs_to_it() {
    let script = parse_text(
        " IF LASTCC EQ 0 THEN
 DO
     VERIFY DATASET(A.B)
     LISTCAT ENT(A.B) ALL
   END
 ELSE
   DO
     DELETE (A.C) PURGE
   END
 IF MAXCC EQ 0 THEN
   VERIFY DATASET(A.B)
",
    );
    assert_eq!(problems(&script), [""; 0]);
    let sizes: Vec<_> = script
        .statements
        .iter()
        .map(|s| match &s.kind {
            StatementKind::If {
                then, otherwise, ..
            } => Some((then.len(), otherwise.len())),
            _ => None,
        })
        .collect();
    // VERIFY is done whatever MAXCC is.
    assert_eq!(sizes, [Some((2, 1)), Some((0, 0)), None]);
}
