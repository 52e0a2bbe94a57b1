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
// IF RC=0 THEN
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
    let shown: Vec<String> = job.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "9:0: TXMID0031E the procedure NONE was not found; --lib FOLDER says where procedures are",
            "10:0: TXMID0034E the statement IF is not supported",
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
    let shown: Vec<String> = job.problems.iter().map(ToString::to_string).collect();
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
