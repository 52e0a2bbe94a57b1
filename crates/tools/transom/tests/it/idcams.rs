//! `transom idcams` and `transom verify` as commands: exit codes, standard input, a store on disk.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn transom(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_transom"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn system(folder: &Path) -> &str {
    std::fs::write(folder.join("transom.toml"), "").unwrap();
    std::fs::create_dir(folder.join("data")).unwrap();
    std::fs::write(folder.join("data/MY.INPUT.txt"), "0001one\n0002two\n").unwrap();
    folder.to_str().unwrap()
}

#[test]
fn the_exit_code_is_the_highest_condition_code() {
    let folder = tempfile::tempdir().unwrap();
    let dir = system(folder.path());
    let define = " DEFINE CLUSTER (NAME(MY.KSDS) KEYS(4 0) RECORDSIZE(10 10))\n REPRO IDS(MY.INPUT) ODS(MY.KSDS)\n";
    let ps = folder.path().join("data");
    let ps = ps.to_str().unwrap();
    let first = transom(&["idcams", dir, "--ps", ps], define);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first));
    assert!(text(&first).contains("TXMID0022I 2 records processed"));
    let again = transom(&["idcams", dir, "--ps", ps], define);
    assert_eq!(again.status.code(), Some(12), "{}", text(&again));
    assert!(text(&again).contains("TXMID0051E MY.KSDS exists already"));
    let broken = transom(&["idcams", dir], " IF MAXCC\n");
    assert_eq!(broken.status.code(), Some(16), "{}", text(&broken));
    let option = transom(&["idcams", dir, "--dd", "IN"], "");
    assert_eq!(
        (option.status.code(), text(&option)),
        (
            Some(16),
            "TXMID0062E --dd IN: NAME=FILE is expected\n".into()
        )
    );
    let verify = transom(&["verify", dir], "");
    assert_eq!(verify.status.code(), Some(0));
    let said = text(&verify);
    let (good, space) = said.split_once('\n').unwrap();
    assert_eq!(good, "TXMID0065I 2 records of 1 data sets, no damage");
    let words: Vec<&str> = space.split(' ').collect();
    let number = |place: usize| words[place].parse::<u64>().unwrap();
    // TXMBK0035I n bytes of data, n bytes free in a file of n bytes, n bytes on the disk
    assert_eq!(
        (words[0], number(1) + number(5)),
        ("TXMBK0035I", number(12)),
        "{space}"
    );
    let length = |dir: &str| {
        let data = std::path::Path::new(dir).join("data/store/data.mdb");
        std::fs::metadata(data).unwrap().len()
    };
    assert_eq!(number(12), length(dir));
    let compact = transom(&["compact", dir], "");
    let now = length(dir);
    let expected = format!(
        "TXMBK0036I {dir}: the file of the store has {now} bytes, it had {}\n",
        number(12)
    );
    assert_eq!((compact.status.code(), text(&compact)), (Some(0), expected));
    assert!(now <= number(12));
    let verify = transom(&["verify", dir], "");
    assert!(text(&verify).starts_with(&format!("{good}\n")));
}

#[test]
fn a_directory_brings_its_own_data() {
    let folder = tempfile::tempdir().unwrap();
    let dir = system(folder.path());
    let statements =
        " DEF CL(NAME(MY.KSDS) KEYS(4 0) RECSZ(10 10))\n REPRO IDS(MY.INPUT) ODS(MY.KSDS)\n";
    std::fs::write(folder.path().join("data/my.idcams"), statements).unwrap();
    for records in [
        "TXMID0022I 2 records processed",
        "highest condition code was 0",
    ] {
        let made = transom(&["idcams", dir, "--missing"], "");
        assert_eq!(made.status.code(), Some(0), "{}", text(&made));
        assert!(text(&made).contains(records), "{}", text(&made));
    }
}

#[test]
fn damage_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let dir = system(folder.path());
    let statements =
        " DEF CL(NAME(MY.KSDS) KEYS(4 0) RECSZ(10 10))\n REPRO IDS(MY.INPUT) ODS(MY.KSDS)\n";
    std::fs::write(folder.path().join("data/my.idcams"), statements).unwrap();
    let made = transom(&["idcams", dir, "--missing"], "");
    assert_eq!(made.status.code(), Some(0), "{}", text(&made));
    let file = folder.path().join("data/store/data.mdb");
    let mut bytes = std::fs::read(&file).unwrap();
    for at in 0..bytes.len() {
        if bytes[at..].starts_with(b"0002two") {
            bytes[at + 4] = b'T';
        }
    }
    std::fs::write(&file, bytes).unwrap();
    let verify = transom(&["verify", dir], "");
    let named = "TXMID0064E a damaged record: MY.KSDS, key 0002\n";
    assert_eq!(
        (verify.status.code(), text(&verify).as_str()),
        (Some(8), named)
    );
    let print = transom(&["idcams", dir], " PRINT IDS(MY.KSDS) CHAR\n");
    assert_eq!(print.status.code(), Some(12), "{}", text(&print));
}

/// Records of the load that is killed: enough for a second of work.
const MANY: usize = 60_000;

#[test]
fn a_load_into_an_empty_cluster_survives_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("template");
    std::fs::create_dir_all(template.join("data")).unwrap();
    std::fs::write(template.join("transom.toml"), "").unwrap();
    let define = " DEF CL(NAME(MY.KSDS) KEYS(8 0) RECSZ(60 60))\n DEF AIX(NAME(MY.AIX) RELATE(MY.KSDS) KEYS(8 8))\n";
    std::fs::write(template.join("data/a.idcams"), define).unwrap();
    // The cluster is there, and empty, before the load.
    let dir = template.to_str().unwrap();
    let first = transom(&["idcams", dir, "--missing"], "");
    assert_eq!(first.status.code(), Some(0), "{}", text(&first));
    let records: String = (0..MANY)
        .map(|n| format!("{n:08}{:08}TEXT\n", MANY - n))
        .collect();
    std::fs::write(template.join("data/MY.INPUT.txt"), records).unwrap();
    let load = " REPRO IDS(MY.INPUT) ODS(MY.KSDS)\n";
    std::fs::write(template.join("data/b.idcams"), load).unwrap();
    let mut cut_off = false;
    // Some moment between the first record and the end is among these, however fast the machine is.
    for (n, millis) in (0..30).map(|n| (n, 30 * 3u64.pow(n) / 2u64.pow(n))) {
        let dir = folder.path().join(n.to_string());
        assert!(
            Command::new("cp")
                .arg("-r")
                .args([&template, &dir])
                .status()
                .unwrap()
                .success()
        );
        let name = dir.to_str().unwrap();
        let mut victim = Command::new(env!("CARGO_BIN_EXE_transom"))
            .args(["idcams", name, "--missing"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(millis));
        victim.kill().unwrap();
        let whole = victim.wait().unwrap().success();
        let again = transom(&["idcams", name, "--missing"], "");
        assert_eq!(again.status.code(), Some(0), "{}", text(&again));
        cut_off |= text(&again).contains("TXMID0074I MY.KSDS was left half loaded");
        let found = transom(
            &["idcams", name],
            " EXAMINE NAME(MY.KSDS) INDEXTEST DATATEST\n",
        );
        let counted = transom(
            &[
                "idcams",
                name,
                "--dd",
                &format!("OUT={name}/out,format=line"),
            ],
            " REPRO IDS(MY.KSDS) OFILE(OUT)\n",
        );
        assert!(
            text(&counted).contains(&format!("TXMID0022I {MANY} records processed")),
            "{}",
            text(&counted)
        );
        assert!(
            text(&found).contains("MY.AIX: INDEXTEST found nothing wrong"),
            "{}",
            text(&found)
        );
        std::fs::remove_dir_all(&dir).unwrap();
        if whole {
            break;
        }
    }
    assert!(cut_off, "the load was never cut off in the middle");
}
