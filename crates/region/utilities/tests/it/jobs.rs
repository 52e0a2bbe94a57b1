//! Jobs with their steps.

use super::*;

/// Files are made in a folder, where procedures and members are too.
fn files(folder: &Path) -> FileOptions {
    FileOptions {
        output: Some(Folder::parse("--out", folder.to_str().unwrap()).unwrap()),
        libraries: vec![folder.to_owned()],
        ..FileOptions::default()
    }
}

#[test]
fn a_job_backs_up_to_a_new_generation_by_a_procedure() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(
        at("REPROC.prc"),
        "//REPROC PROC
//PRC001 EXEC PGM=IDCAMS
//FILEIN  DD DISP=SHR,DSN=NULLFILE
//SYSIN   DD DISP=SHR,DSN=&CNTLLIB(REPROCT)
",
    )
    .unwrap();
    std::fs::write(
        at("REPROCT.ctl"),
        "/* copy */\n    REPRO INFILE(FILEIN) OUTFILE(FILEOUT)\n",
    )
    .unwrap();
    std::fs::write(at("A.BKUP.G0004V00"), "").unwrap();
    let files = files(folder.path());
    let datasets = datasets();
    let (text, code) = run(
        &datasets,
        &files,
        "//J JOB
//LOAD EXEC PGM=IDCAMS
//IN DD *
0001
0002
/*
//SYSIN DD *
 DEFINE CLUSTER (NAME(A.K) KEYS(4 0) RECORDSIZE(80 80))
 REPRO INFILE(IN) OUTDATASET(A.K)
/*
//SAVE EXEC PROC=REPROC,CNTLLIB=MY.CNTL
//PRC001.FILEIN DD DISP=SHR,DSN=A.K
//PRC001.FILEOUT DD DISP=(NEW,CATLG,DELETE),DSN=A.BKUP(+1),
//             DCB=(LRECL=80,RECFM=FB)
//BACK EXEC PGM=IDCAMS,COND=(0,NE)
//IN DD DISP=SHR,DSN=A.BKUP(+1)
//SYSIN DD *
 REPRO INFILE(IN) OUTDATASET(A.K) REPLACE
/*
//NEVER EXEC PGM=IDCAMS,COND=(0,EQ)
",
    );
    assert_eq!(code, 0, "{text}");
    assert_eq!(std::fs::read(at("A.BKUP.G0005V00")).unwrap().len(), 160);
    assert!(
        text.contains("TXMID0036I step NEVER is bypassed by COND"),
        "{text}"
    );
    assert_eq!(count(&datasets, "A.K"), 2);
    let ebcdic = CodePage::by_ccsid(37)
        .unwrap()
        .encode(&format!("{:80}", " REPRO IFILE(FILEIN) OFILE(TOOLONG)"))
        .0;
    std::fs::write(at("MY.SYSIN"), ebcdic).unwrap();
    let (text, code) = run(
        &datasets,
        &files,
        "//J JOB
//S EXEC PGM=IDCAMS
//FILEIN DD DISP=SHR,DSN=A.K
//TOOLONG DD DSN=A.NEW,DCB=(LRECL=40,RECFM=FB)
//SYSIN DD DISP=SHR,DSN=MY.SYSIN
",
    );
    assert_eq!(code, 12, "{text}");
    assert!(
        text.contains("TXMID0042E a record of 80 bytes does not fit the file's format"),
        "{text}"
    );
    let left = std::fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .map(|e| e.file_name());
    assert!(
        !left
            .into_iter()
            .any(|n| n.to_string_lossy().starts_with("A.NEW"))
    );
}

#[test]
fn branches_temporary_data_sets_and_dispositions() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("OLD.FILE"), "x").unwrap();
    std::fs::write(at("CARDS.txt"), "0009\n").unwrap();
    let files = files(folder.path());
    let (text, code) = run(
        &datasets(),
        &files,
        "//J JOB
//MAKE EXEC PGM=IEFBR14
//GONE DD DSN=OLD.FILE,DISP=(MOD,DELETE)
//NEW DD DSN=NEW.FILE,DISP=(NEW,CATLG),RECFM=FB,LRECL=80
//CARDS EXEC PGM=ICEGENER
//SYSUT1 DD *
0001
0002
/*
// DD DSN=MY.LIB(CARDS),DISP=SHR
//SYSUT2 DD DSN=&TEMP,DISP=(NEW,PASS),RECFM=FB,LRECL=80
// IF CARDS.RC = 0 THEN
//LOAD EXEC PGM=IDCAMS
//IN DD DSN=*.CARDS.SYSUT2,DISP=(OLD,DELETE)
//SYSIN DD *
 DEFINE CLUSTER (NAME(A.K) KEYS(4 0) RECORDSIZE(80 80))
 REPRO INFILE(IN) OUTDATASET(A.K)
 DELETE NO.SUCH.CLUSTER
/*
// ELSE
//NEVER EXEC PGM=IDCAMS
// ENDIF
// IF LOAD.RC > 4 AND NOT MAKE.RC > 0 THEN
//ALSO EXEC PGM=IDCAMS
//SYSIN DD *
 LISTCAT ENT(A.K) CLUSTER
/*
// ENDIF
",
    );
    for said in [
        "TXMID0023I NONVSAM NEW.FILE is made\nTXMID0023I NONVSAM OLD.FILE is deleted\n",
        "TXMID0022I 3 records processed",
        "TXMID0023I NONVSAM &&TEMP is deleted\n",
        "TXMID0036I step NEVER is bypassed by IF\n",
        "STEP ALSO test:24\n",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    assert_eq!(code, 8, "{text}");
    assert!(at("NEW.FILE").is_file() && !at("OLD.FILE").exists());
}
