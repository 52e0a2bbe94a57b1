//! Passwords and authority without a region.

use super::stage::{Stage, ask};
use crate::security::{self, Security};
use std::sync::Arc;
use transom_security::{Denied, Secret, SecurityMode, User, UserConfig, UserRegistry};
use transom_types::{Resp, UserId};
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
    ask(7, &request, |replier, bytes| service.answer(replier, bytes)).await
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
