//! Passwords and authority without a region.

use super::stage::{Stage, ask};
use crate::security::{self, Security};
use std::sync::Arc;
use transom_security::{Denied, Secret, SecurityMode, User, UserConfig, UserRegistry};
use transom_types::{
    Applid, ProgramName, ReqId, Resp, SuspendType, SuspendValue, TcpClient, TermId, TransId, UserId,
};
use transom_wire::association::{Association, Itself};
use transom_wire::definitions::TaskEntry;
use transom_wire::requests::RegionAnswer;
use transom_wire::security::{Access, Answer, Check, Facts, Question, Request};

/// Knows ALICE, whose password is RABBIT.
struct OneUser;

impl UserRegistry for OneUser {
    fn verify(&self, userid: &str, secret: &Secret, _new: Option<&Secret>) -> Result<User, Denied> {
        let right = Secret::password(b"RABBIT");
        match userid {
            "ALICE" if *secret == right => Ok(User {
                userid: "ALICE".into(),
                name: "Alice".into(),
                groups: vec!["WONDER".into()],
                ..User::default()
            }),
            "ALICE" => Err(Denied::Wrong),
            _ => Err(Denied::Unknown),
        }
    }
}

fn service(stage: &Stage) -> Arc<Security> {
    let config = UserConfig {
        registry: Some(Arc::new(OneUser)),
        security: SecurityMode::Yes,
        ..UserConfig::default()
    };
    let kernel = &stage.kernel;
    let opened = security::open(
        &config,
        kernel.system.default_user,
        &kernel.operator,
        &kernel.clock,
    );
    let service = Security::new(kernel.clone(), stage.terminals.clone(), opened, &config);
    Arc::new(service)
}

async fn asked(service: &Arc<Security>, request: Request) -> RegionAnswer {
    asked_by(7, service, request).await
}

async fn asked_by(task: u32, service: &Arc<Security>, request: Request) -> RegionAnswer {
    ask(task, &request, |replier, bytes| {
        service.answer(replier, bytes)
    })
    .await
}

/// A task without terminal whose work came from this address.
fn comes_from(stage: &Stage, task_number: u32, client: &str) {
    let mut association = Association::NONE;
    association.beginning.client = Some(TcpClient {
        client: client.parse().expect("an address"),
        server: ([192, 0, 2, 1], 8080).into(),
    });
    install(stage, task_number, association);
}

/// A task that a task of such a client started.
fn started_by(stage: &Stage, task_number: u32, starter: u32) {
    let starter = TaskEntry::find(stage.kernel.shared(), starter).expect("it is there");
    let mut association = Association::NONE;
    association.origin = Some(starter.association.origin_of(&Itself {
        applid: Applid::BLANK,
        task_number: starter.task_number,
        transid: starter.transid,
        userid: starter.userid,
        start_abstime_ms: 0,
    }));
    install(stage, task_number, association);
}

fn install(stage: &Stage, task_number: u32, association: Association) {
    let entry = TaskEntry {
        task_number,
        transid: TransId::from_field(b"CSMI"),
        program: ProgramName::from_field(b"LOGON"),
        userid: UserId::from_field(b"CICSUSER"),
        priority: 0,
        start_abstime_ms: 0,
        start_code: *b"D ",
        suspend_type: SuspendType::BLANK,
        suspend_value: SuspendValue::BLANK,
        suspended_abstime_ms: 0,
        reqid: ReqId::BLANK,
        terminal: TermId::BLANK,
        purgeable: false,
        association,
    };
    assert!(entry.install(stage.kernel.shared()));
}

fn check(password: &[u8], group: &str) -> Request {
    Request::Check(Check {
        terminal: None,
        userid: "ALICE".into(),
        group: group.into(),
        secret: Secret::password(password),
        new: None,
    })
}

#[tokio::test]
async fn a_user_is_known_once_the_password_was_right() {
    let stage = Stage::new();
    let service = service(&stage);
    let may_attach = || {
        Request::Access(Question {
            user: UserId::from_field(b"ALICE"),
            class: "TRANSACTION".into(),
            name: "PAY1".into(),
            wanted: Access::Read,
            log: false,
        })
    };
    let before = asked(&service, may_attach()).await;
    let before = Answer::decode(&before.data).expect("an answer");
    assert!(!before.user_known);

    let wrong = asked(&service, check(b"HATTER", "")).await;
    assert_eq!((wrong.resp, wrong.resp2), (Resp::NOTAUTH, 2));
    assert!(stage.has_said("a password of ALICE was refused"));
    let other = asked(&service, check(b"RABBIT", "QUEENS")).await;
    assert_eq!((other.resp, other.resp2), (Resp::NOTAUTH, 20));

    let right = asked(&service, check(b"RABBIT", "WONDER")).await;
    assert_eq!(right.resp, Resp::NORMAL);
    let facts = Facts::decode(&right.data).expect("facts");
    assert_eq!(facts.name, "Alice");
    let after = asked(&service, may_attach()).await;
    let after = Answer::decode(&after.data).expect("an answer");
    assert!(after.user_known);
}

#[tokio::test]
async fn who_guesses_through_a_program_keeps_out_no_other_client() {
    let stage = Stage::new();
    let service = service(&stage);
    comes_from(&stage, 11, "192.0.2.7:50000");
    comes_from(&stage, 12, "192.0.2.8:50000");
    comes_from(&stage, 21, "[2001:db8::1]:50000");
    comes_from(&stage, 22, "[2001:db8::2]:50000");
    started_by(&stage, 13, 11);
    for guesser in [11, 21] {
        for _ in 0..5 {
            let wrong = asked_by(guesser, &service, check(b"HATTER", "")).await;
            assert_eq!((wrong.resp, wrong.resp2), (Resp::NOTAUTH, 2));
        }
    }
    for (task, resp2) in [(11, 19), (13, 19), (12, 0), (21, 19), (22, 19), (7, 0)] {
        let right = asked_by(task, &service, check(b"RABBIT", "")).await;
        assert_eq!(right.resp2, resp2, "{task}");
    }
    assert!(stage.has_said("from 192.0.2.7"));
}
