//! Users in a file of their own: what they may use, what changes, and what holds where the file
//! cannot change.

use super::*;

struct Folder(PathBuf);
impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn users(name: &str) -> (Folder, UserFile) {
    let folder = std::env::temp_dir().join(format!("transom-users-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let rules = PasswordRules {
        attempts_max: 3,
        lockout: None,
        ..PasswordRules::default()
    };
    let users = UserFile::new(&folder.join("users.toml"), rules);
    let alice = User {
        userid: "alice".into(),
        name: "Alice Example".into(),
        groups: vec!["CLERKS".into()],
        ..User::default()
    };
    users
        .put(&alice, &Secret::password(b"wonder1"), false)
        .unwrap();
    (Folder(folder), users)
}

fn password(text: &str) -> Secret {
    Secret::password(text.as_bytes())
}

#[test]
fn right_and_wrong_passwords() {
    let (folder, users) = users("verify");
    let text = fs::read_to_string(folder.0.join("users.toml")).unwrap();
    assert!(
        text.contains("$argon2id$") && !text.contains("wonder1"),
        "{text}"
    );
    let alice = users.verify("ALICE", &password("wonder1 "), None).unwrap();
    assert_eq!((alice.userid.as_str(), alice.groups.len()), ("ALICE", 1));
    let verify = |user: &str, word: &str| users.verify(user, &password(word), None);
    assert_eq!(verify("ALICE", ""), Err(Denied::NoSecret));
    assert_eq!(verify("MALLORY", "nobody"), Err(Denied::Unknown));
    for denied in [Denied::Wrong, Denied::Wrong, Denied::WrongTooOften] {
        assert_eq!(verify("ALICE", "guess"), Err(denied));
    }
    assert_eq!(verify("ALICE", "wonder1"), Err(Denied::Revoked));
    users.reset("alice", &password("wonder2"), true).unwrap();
    assert_eq!(verify("ALICE", "wonder2"), Err(Denied::MustChange));
}

#[test]
fn passwords_grow_old_and_have_a_length() {
    let (folder, mut users) = users("rules");
    users.rules.days = 30;
    users.rules.chars_min = 6;
    let alice = users.verify("ALICE", &password("wonder1"), None).unwrap();
    assert_eq!(alice.expires, alice.changed + 30 * 86_400);
    let path = folder.0.join("users.toml");
    let text = fs::read_to_string(&path).unwrap();
    let old = format!("changed = {}", alice.changed);
    fs::write(&path, text.replace(&old, "changed = 1000")).unwrap();
    let verify = |new: Option<Secret>| users.verify("ALICE", &password("wonder1"), new.as_ref());
    assert_eq!(verify(None), Err(Denied::MustChange));
    assert_eq!(
        verify(Some(password("short"))),
        Err(Denied::NewNotAcceptable)
    );
    assert!(verify(Some(password("longer"))).unwrap().expires > alice.expires - 60);
    assert!(users.verify("ALICE", &password("longer"), None).is_ok());
    assert!(
        users
            .reset("ALICE", &password("abc"), false)
            .unwrap_err()
            .line()
            .starts_with("TXMXS0019E")
    );
}

#[test]
fn changing() {
    let (_folder, users) = users("change");
    let change = |old: &str, new: &[u8]| {
        let new = Secret::phrase(new);
        users.verify("ALICE", &password(old), Some(&new)).map(drop)
    };
    assert_eq!(change("wonder1", b"wonder1"), Err(Denied::NewNotAcceptable));
    assert_eq!(
        change("wonder1", b"two words"),
        Err(Denied::NewNotAcceptable)
    );
    assert_eq!(change("wrong", b"secret"), Err(Denied::Wrong));
    assert_eq!(change("wonder1", b"secret"), Ok(()));
    assert!(users.verify("ALICE", &password("secret"), None).is_ok());
    assert_eq!(format!("{:?}", password("secret")), "Secret(..)");
    users.delete("ALICE").unwrap();
    assert!(users.list().unwrap().is_empty());
    assert!(
        users
            .delete("ALICE")
            .unwrap_err()
            .line()
            .starts_with("TXMXS0011E")
    );
}

#[test]
fn a_revocation_the_file_does_not_take_holds() {
    let (folder, users) = users("unwritten");
    let lock = folder.0.join("users.toml.lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    let verify = |word: &str| users.verify("ALICE", &password(word), None);
    for denied in [Denied::Wrong, Denied::Wrong, Denied::WrongTooOften] {
        assert_eq!(verify("guess"), Err(denied));
    }
    assert_eq!(verify("guess"), Err(Denied::Revoked));
    assert_eq!(verify("wonder1"), Err(Denied::Revoked));
    fs::remove_dir(&lock).unwrap();
    assert_eq!(verify("wonder1"), Err(Denied::Revoked));
    assert!(users.list().unwrap()[0].1, "the file has it now");
}
