//! Temporary storage and transient data from COBOL: recovery, triggers, files, jobs.

use crate::harness::Programs;
use crate::interval::{first_seen, recover, transaction};
use transom_region_server::RegionConfig;
use transom_types::TdQueueName;
use transom_wire::definitions::{Entry, JournalKind, JournalModel, TdQueueEntry, TdRecovery};

/// Answers the first item of queue SEEN.
fn seen() -> String {
    cobol!("queues/SEENPGM")
}

/// Recoverable temporary storage queues SAFE*, and a transient data queue of each kind of recovery.
fn queues_of_each_kind(config: &mut RegionConfig) {
    recover(config, b"SAFE");
    for (name, recovery) in [
        (*b"LOGQ", TdRecovery::Logical),
        (*b"PHYQ", TdRecovery::Physical),
        (*b"MEMQ", TdRecovery::No),
    ] {
        let mut queue = TdQueueEntry::new(TdQueueName::new(name));
        queue.recovery = recovery;
        config.queues.td_queues.push(queue);
    }
}

#[test]
fn a_queue_over_its_level_starts_its_task_when_the_region_starts() {
    let write = cobol!("queues/WRITER-2");
    let reader = cobol!("queues/READER-2");
    for recovery in [TdRecovery::No, TdRecovery::Physical, TdRecovery::Logical] {
        let folder = tempfile::tempdir().unwrap();
        let region = |level| {
            Programs::with(&[&write, &reader, &seen()], |config| {
                config.transactions.push(transaction("TRG1", "READER"));
                let mut queue = TdQueueEntry::new(TdQueueName::new(*b"TRGQ"));
                queue.trigger_level = level;
                queue.transid = Some("TRG1".parse().unwrap());
                queue.recovery = recovery;
                config.queues.td_queues.push(queue);
                config.data.store = Some(folder.path().join("store"));
            })
        };
        let first = region(9);
        first.text("WRITER", &" ".repeat(60));
        first.stop();
        let second = region(2);
        let text = first_seen(&second);
        assert_eq!(text, "RECORD", "{recovery:?}");
    }
}

/// Calls with a letter: W writes 800 items of 32,000 bytes, C checks them, R rewrites one, D
/// deletes the queue.
fn big_queue() -> String {
    cobol!("queues/BIGQ")
}

pub(crate) fn statistic(programs: &Programs, group: &str, name: &str) -> u64 {
    use transom_region_api::Control as _;
    let groups = programs.region.statistics().unwrap();
    let group = groups.iter().find(|g| g.name == group).unwrap();
    let mut values = group.values.iter();
    values.find(|v| v.name == name).unwrap().value
}

#[test]
fn auxiliary_queues_go_to_disk_when_shared_storage_fills() {
    let folder = tempfile::tempdir().unwrap();
    let region = |disk_bytes| {
        Programs::with(&[&big_queue()], |config| {
            config.shared_bytes = 16 << 20;
            config.data.store = Some(folder.path().join("store"));
            config.queues.auxiliary_bytes_max = disk_bytes;
        })
    };
    let on_disk = |programs: &Programs| statistic(programs, "temporary storage", "disk_bytes");
    let call = |programs: &Programs, what: &str| programs.text("BIGQ", &format!("{what:60}"));
    let first = region(1 << 30);
    assert_eq!(call(&first, "W"), "00000000");
    assert_eq!(call(&first, "C"), "00000000");
    let disk = on_disk(&first);
    assert!(disk > 10 << 20, "{disk}");
    // Main storage has no other place.
    let refused: u64 = call(&first, "M").parse().unwrap();
    assert!((100..=800).contains(&refused), "{refused}");
    first.stop();
    let second = region(1 << 30);
    assert_eq!(call(&second, "C"), "00000000");
    assert_eq!(call(&second, "R"), "00000000");
    assert!(on_disk(&second) < disk, "one item less");
    assert_eq!(call(&second, "D"), "00000000");
    assert_eq!(on_disk(&second), 0);
    drop(second);
    let third = region(1 << 20);
    let refused: u64 = call(&third, "W").parse().unwrap();
    assert!((100..=800).contains(&refused), "{refused}");
    let at_limit = statistic(&third, "temporary storage", "times_at_disk_bytes_limit");
    assert!(at_limit > 0);
}

#[test]
fn journals_have_models_states_and_browses() {
    let source = cobol!("queues/JOURNALS");
    let folder = tempfile::tempdir().unwrap();
    let journals = folder.path().join("journals");
    let region = || {
        Programs::with(&[&source], |config| {
            config.data.journal_dir = Some(journals.clone());
            let model = |name: &[u8; 8], journal: &str, kind, stream: &str| {
                Entry::JournalModel(JournalModel {
                    journal: journal.into(),
                    kind,
                    stream: stream.into(),
                    ..JournalModel::with_defaults(*name)
                })
            };
            config.resources.extend([
                model(b"NOTHING ", "DFHJ09", JournalKind::Dummy, ""),
                model(b"MERGED  ", "DFHJ1%", JournalKind::Mvs, "&USERID..MERGED"),
            ]);
        })
    };
    let first = region();
    first.must_say("JOURNALS", "OK");
    drop(first);
    assert!(!journals.join("DFHJ09.jnl").exists(), "TYPE(DUMMY)");
    let length = |name: &str| std::fs::metadata(journals.join(name)).unwrap().len();
    assert_eq!(length("MERGED.jnl"), 2 * length("AUDIT.jnl"));
    // A power cut in the middle of the last record.
    let audit = journals.join("AUDIT.jnl");
    let mut bytes = std::fs::read(&audit).unwrap();
    bytes.truncate(bytes.len() - 1);
    std::fs::write(&audit, &bytes).unwrap();
    let second = region();
    second.must_say("JOURNALS", "OK");
    assert!(second.log.lock().unwrap().contains("TXMJC0003W"));
}

/// Where it is set, `a_killed_region_keeps_what_is_recoverable` is the region that is killed; its
/// folder.
const VICTIM: &str = "TRANSOM_VICTIM";

fn killed_region(folder: &std::path::Path) -> Programs {
    let writes = cobol!("queues/WRITES-4");
    let reads = cobol!("queues/READS-4");
    let late = cobol!("queues/LATE");
    let store = folder.join("store");
    let journals = folder.join("journals");
    let files = folder.join("td");
    Programs::with(&[&writes, &reads, &late, &seen()], move |config| {
        queues_of_each_kind(config);
        config.transactions.push(transaction("LATE", "LATE"));
        config.data.store = Some(store);
        config.data.journal_dir = Some(journals);
        config.queues.extrapartition_dir = Some(files);
    })
}

#[test]
fn a_killed_region_keeps_what_is_recoverable() {
    if let Some(folder) = std::env::var_os(VICTIM) {
        killed_region(folder.as_ref()).text("WRITES", &" ".repeat(60));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut victim = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "queues::a_killed_region_keeps_what_is_recoverable",
            "--exact",
        ])
        .env(VICTIM, folder.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begin = std::time::Instant::now();
    while !std::fs::read_to_string(folder.path().join("td/MSGUSR"))
        .is_ok_and(|text| text.contains("READY"))
    {
        assert!(begin.elapsed() < std::time::Duration::from_secs(60));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
    let region = killed_region(folder.path());
    region.must_say("READS", "STAYSSTAYSSTAYS");
    let late = first_seen(&region);
    assert_eq!(late, "STAYS");
    let journal = std::fs::read(folder.path().join("journals/AUDIT.jnl")).unwrap();
    assert!(journal.windows(5).any(|bytes| bytes == b"STAYS"));
}

#[test]
fn limits_are_settings_and_show_how_often_they_were_reached() {
    let source = cobol!("queues/LIMITS");
    let slow = cobol!("queues/SLOW");
    let programs = Programs::with(&[&source, &slow], |config| {
        config.transactions.push(transaction("SLOW", "SLOW"));
        config
            .queues
            .td_queues
            .push(TdQueueEntry::new(TdQueueName::new(*b"MEMQ")));
        config.queues.td_memory_bytes_max = 150;
        config.queues.start_requests_max = 1;
        config.queues.children_max = 1;
    });
    programs.must_say("LIMITS", "OK");
    for (group, name, value) in [
        ("transient data", "memory_bytes_peak", 112),
        ("transient data", "memory_bytes_limit", 150),
        ("transient data", "times_at_memory_bytes_limit", 1),
        ("interval control", "requests_peak", 1),
        ("interval control", "times_at_requests_limit", 1),
        ("asynchronous services", "children_of_a_task_peak", 1),
        ("asynchronous services", "times_at_children_limit", 1),
    ] {
        assert_eq!(statistic(&programs, group, name), value, "{name}");
    }
}
