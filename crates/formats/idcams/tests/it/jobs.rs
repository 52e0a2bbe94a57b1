//! Jobs as users write them.

use transom_idcams::jcl::{DdSource, Disposition, Job, read};
use transom_idcams::record::FileFormat;

fn job(text: &str) -> Job {
    read(text, &[], &|_| None)
}

fn programs(job: &Job) -> Vec<(&str, &str)> {
    job.steps
        .iter()
        .map(|s| (s.name.as_str(), s.program.as_str()))
        .collect()
}

#[test]
fn steps_data_sets_and_sysin() {
    let job = job(
        "//ACCTFILE JOB 'Delete define Account Data',CLASS=A,MSGCLASS=0,
// NOTIFY=&SYSUID
//* a comment
//STEP15 EXEC PGM=IDCAMS
//SYSPRINT DD   SYSOUT=*
//ACCTDATA DD DISP=SHR,
//         DSN=AWS.M2.ACCTDATA.PS      the flat file
//OUT      DD DSN=A.B(+1),DISP=(NEW,CATLG,DELETE),
//            DCB=(LRECL=80,RECFM=FB,BLKSIZE=0)
//SYSIN    DD   *
   REPRO INFILE(ACCTDATA) OUTFILE(ACCTVSAM)
/*
//NEXT    EXEC PGM=IEFBR14,COND=(4,LT)
",
    );
    assert_eq!(job.problems, []);
    assert_eq!(programs(&job), [("STEP15", "IDCAMS"), ("NEXT", "IEFBR14")]);
    let step = &job.steps[0];
    let DdSource::DataSet(data) = &step.dd("ACCTDATA").unwrap().sources[0] else {
        panic!()
    };
    assert_eq!(
        (data.name.as_str(), data.disposition),
        ("AWS.M2.ACCTDATA.PS", Disposition::Share)
    );
    let DdSource::DataSet(out) = &step.dd("OUT").unwrap().sources[0] else {
        panic!()
    };
    assert_eq!(
        (out.generation, out.format()),
        (Some(1), Some(FileFormat::Fixed(80)))
    );
    let DdSource::Instream(lines) = &step.dd("SYSIN").unwrap().sources[0] else {
        panic!()
    };
    assert_eq!(
        (lines[0].number, lines[0].text.trim()),
        (11, "REPRO INFILE(ACCTDATA) OUTFILE(ACCTVSAM)")
    );
    assert!(job.steps[1].is_bypassed(&[("STEP15".into(), 8)]));
    assert!(!job.steps[1].is_bypassed(&[("STEP15".into(), 4)]));
}

#[test]
fn a_procedure_with_symbols_and_overrides() {
    let library = |name: &str| {
        (name == "REPROC").then(|| {
            "//REPROC PROC
//PRC001 EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//FILEIN  DD DISP=SHR,
//        DSN=NULLFILE
//SYSIN   DD DISP=SHR,
//        DSN=&CNTLLIB(REPROCT)
// PEND
"
            .to_owned()
        })
    };
    let job = read(
        "//J JOB
//STEP05R EXEC PROC=REPROC,
// CNTLLIB=AWS.M2.CARDDEMO.CNTL
//PRC001.FILEIN  DD DISP=SHR,
//        DSN=AWS.KSDS
//        DD DISP=SHR,DSN=AWS.SECOND
",
        &[],
        &library,
    );
    assert_eq!(job.problems, []);
    let step = &job.steps[0];
    assert_eq!(step.name, "STEP05R.PRC001");
    let DdSource::DataSet(sysin) = &step.dd("SYSIN").unwrap().sources[0] else {
        panic!()
    };
    assert_eq!(
        (sysin.name.as_str(), sysin.member.as_deref()),
        ("AWS.M2.CARDDEMO.CNTL", Some("REPROCT"))
    );
    let names: Vec<&str> = step
        .dd("FILEIN")
        .unwrap()
        .sources
        .iter()
        .map(|s| match s {
            DdSource::DataSet(d) => d.name.as_str(),
            _ => "?",
        })
        .collect();
    assert_eq!(names, ["AWS.KSDS", "AWS.SECOND"]);
}

#[test]
fn set_and_in_stream_procedures() {
    let job = job("//J JOB
//   SET HLQ=MY.DATA
//P PROC DSN2=OLD
//S EXEC PGM=IDCAMS
//IN DD DSN=&HLQ..&DSN2,DISP=OLD
// PEND
//A EXEC P,DSN2=NEW
//B EXEC P
//C EXEC NONE
// XMIT DEST=NOWHERE
");
    let names: Vec<String> = job
        .steps
        .iter()
        .map(|s| match &s.dds[0].sources[0] {
            DdSource::DataSet(d) => d.name.clone(),
            _ => String::new(),
        })
        .collect();
    assert_eq!(names, ["MY.DATA.NEW", "MY.DATA.OLD"]);
    let shown: Vec<String> = job
        .problems
        .iter()
        .map(|p| p.place_first().to_string())
        .collect();
    assert_eq!(
        shown,
        [
            "9:0: TXMID0031E the procedure NONE was not found; --lib FOLDER says where procedures are",
            "10:0: TXMID0034E the statement XMIT is not supported",
        ]
    );
}

#[test]
fn operands_behind_column_72_are_named() {
    let job = job(
        "//A EXEC PGM=IDCAMS                                                     00010000
//OUT DD DISP=(NEW,CATLG,DELETE),DCB=(LRECL=80,RECFM=FB,BLKSIZE=8000),DSN=A.BACKUP(+1)
",
    );
    let shown: Vec<String> = job
        .problems
        .iter()
        .map(|p| p.place_first().to_string())
        .collect();
    assert_eq!(shown, ["2:73: TXMID0003W text after column 72 is ignored"]);
}

#[test]
fn in_stream_data_takes_symbols_when_it_says_so() {
    let job = job("// SET HLQ=MY
//A EXEC PGM=IDCAMS
//SYSIN DD *,SYMBOLS=EXECSYS
 DELETE &HLQ..DATA
/*
//OTHER DD *
 &HLQ
/*
");
    let line = |name: &str| match &job.steps[0].dd(name).unwrap().sources[0] {
        DdSource::Instream(lines) => lines[0].text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (line("SYSIN").as_str(), line("OTHER").as_str()),
        (" DELETE MY.DATA", " &HLQ")
    );
    assert_eq!(job.problems, []);
}

fn shown(job: &Job) -> Vec<String> {
    job.problems
        .iter()
        .map(|p| p.place_first().to_string())
        .collect()
}

#[test]
fn if_then_else_and_references() {
    let job = job("//J JOB (1),COND=(16,LE)
//A EXEC PGM=IDCAMS
//OUT DD DSN=MY.OUT,DISP=(NEW,CATLG),RECFM=FB,LRECL=80
// IF (A.RC = 0 &
//     RC LE 4) THEN
//B EXEC PGM=IEFBR14
//IN DD DSN=*.A.OUT,DISP=SHR,DCB=*.A.OUT
//   IF B.RC > 0 THEN
//C EXEC PGM=IEFBR14,COND=((4,LT,A),ONLY)
//   ENDIF
// ELSE
//D EXEC PGM=IEFBR14
//GONE DD DSN=MY.OUT,DISP=(MOD,DELETE,DELETE)
// ENDIF
//E EXEC PGM=IEFBR14
");
    assert_eq!(shown(&job), [""; 0]);
    let guards: Vec<_> = job.steps.iter().map(|s| s.guards.clone()).collect();
    let expected = [
        vec![],
        vec![(0, true)],
        vec![(0, true), (1, true)],
        vec![(0, false)],
        vec![],
    ];
    assert_eq!(guards, expected);
    assert!(
        job.tests[0].holds(&[("A".into(), 0)], "") && !job.tests[0].holds(&[("A".into(), 8)], "")
    );
    let data = |step: usize, dd: &str| match &job.steps[step].dd(dd).unwrap().sources[0] {
        DdSource::DataSet(data) => data.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (data(1, "IN").name.as_str(), data(1, "IN").format()),
        ("MY.OUT", Some(FileFormat::Fixed(80)))
    );
    assert!(data(3, "GONE").deleted && !data(0, "OUT").deleted && !data(1, "IN").deleted);
    assert!(job.steps[2].only && job.conditions.len() == 1);
    for (text, problem) in [
        (
            "// IF RC = 0\n//A EXEC PGM=X\n// ENDIF\n",
            "1:0: TXMID0039E IF : RC, RUN and ABEND with THEN at the end are expected",
        ),
        (
            "// IF RC = 0 THEN\n//A EXEC PGM=X\n",
            "2:0: TXMID0039E IF without its ENDIF",
        ),
        ("// ELSE\n", "1:0: TXMID0039E ELSE without its IF"),
        (
            "// INCLUDE MEMBER=NONE\n",
            "1:0: TXMID0038E INCLUDE: the member NONE was not found; --lib FOLDER says where members are",
        ),
    ] {
        assert_eq!(shown(&read(text, &[], &|_| None)), [problem]);
    }
}

#[test]
fn members_are_put_in_with_symbols_and_steps() {
    let library = |name: &str| match name {
        "DEFAULT" => Some("//* values\n//   SET HLQ=MY.DATA\n".to_owned()),
        "TWICE" => Some("// INCLUDE MEMBER=TWICE\n// INCLUDE MEMBER=TWICE\n".to_owned()),
        _ => None,
    };
    let job = read(
        "//J JOB
// EXPORT SYMLIST=*
// INCLUDE MEMBER=DEFAULT
//A EXEC PGM=IDCAMS
//IN DD DSN=&HLQ..IN,DISP=SHR
",
        &[],
        &library,
    );
    assert_eq!(shown(&job), [""; 0]);
    let DdSource::DataSet(data) = &job.steps[0].dd("IN").unwrap().sources[0] else {
        panic!()
    };
    assert_eq!(data.name, "MY.DATA.IN");
    let endless = read("// INCLUDE MEMBER=TWICE\n", &[], &library);
    assert_eq!(
        shown(&endless),
        ["1:0: TXMID0034E the job has more than 1000 INCLUDE statements"]
    );
}

#[test]
fn conditions_inside_procedures_mean_their_own_steps() {
    let job = job("//J JOB
//P PROC
//S1 EXEC PGM=IEFBR14
//S2 EXEC PGM=IEFBR14,COND=(0,NE,S1)
// PEND
//S1 EXEC PGM=IEFBR14
//A EXEC P
//B EXEC P,COND.S2=(4,LT)
");
    let codes = [("S1".to_owned(), 8), ("A.S1".to_owned(), 0)];
    let bypassed: Vec<bool> = job.steps.iter().map(|s| s.is_bypassed(&codes)).collect();
    assert_eq!(bypassed, [false, false, false, false, true]);
}

#[test]
fn symbols_made_of_symbols_do_not_grow_without_end() {
    let grow = "// SET A=&B&B&B&B&B&B&B&B\n// SET B=&A&A&A&A&A&A&A&A\n".repeat(12);
    let text = format!("// SET B=X\n{grow}//X EXEC PGM=A\n");
    let uses = format!(
        "//S EXEC PGM=A\n{}",
        "//D DD DSN=&A&A&A&A&A&A&A&A&A&A\n".repeat(3000)
    );
    assert_eq!(shown(&job(&text)), [""; 0]);
    let great = job(&format!("{text}{uses}"));
    let said = shown(&great);
    assert_eq!(said.len(), 1, "{said:?}");
    let last = "procedures, members and symbols of the job have more than 16777216 bytes";
    assert!(said[0].ends_with(last), "{:.300}", said[0]);
}
