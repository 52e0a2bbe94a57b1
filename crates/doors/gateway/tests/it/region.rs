//! A region whose programs are closures.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use transom_region_api::{
    self as api, Fault, LinkFailure, LinkOutput, LinkRequest, Payload, Reply,
};
use transom_types::{Resp, TransId};

type Program = Box<dyn Fn(&LinkRequest) -> Result<Payload, Fault> + Send + Sync>;

/// Programs by name, and the last request seen.
#[derive(Default)]
pub(crate) struct Programs {
    programs: HashMap<String, Program>,
    tasks: AtomicU32,
    pub(crate) last: Mutex<Option<LinkRequest>>,
}

impl Programs {
    pub(crate) fn with(
        mut self,
        name: &str,
        program: impl Fn(&LinkRequest) -> Result<Payload, Fault> + Send + Sync + 'static,
    ) -> Self {
        self.programs.insert(name.to_owned(), Box::new(program));
        self
    }

    pub(crate) fn region(self) -> Arc<Self> {
        Arc::new(self)
    }
}

impl api::Programs for Programs {
    fn link(&self, request: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>> {
        let task_number = self.tasks.fetch_add(1, Relaxed) + 1;
        let refused = Fault::Refused {
            resp: Resp::PGMIDERR,
            resp2: 1,
        };
        let done = match self.programs.get(request.program.as_str()) {
            Some(program) => program(&request),
            None => Err(refused),
        };
        *self.last.lock().unwrap() = Some(request);
        let transid = TransId::new("CSMI").unwrap();
        let done = match done {
            Ok(payload) => Ok(LinkOutput {
                payload,
                task_number,
                transid,
                cpu_ns: 0,
            }),
            Err(fault) => Err(LinkFailure {
                fault,
                text: "TXMPG0001E made by the test".into(),
                task_number: Some(task_number),
            }),
        };
        Box::pin(std::future::ready(done))
    }
}

/// R1's program: `count_out` blocks of 32 bytes, the first of them the header fields.
pub(crate) fn cabasic(request: &LinkRequest) -> Result<Payload, Fault> {
    let Payload::Commarea(area) = &request.payload else {
        panic!("a COMMAREA is expected")
    };
    let count = u32::from_be_bytes(area[4..8].try_into().unwrap()) as usize;
    let mut out = vec![b' '; count.max(1) * 32];
    out[0..4].copy_from_slice(&0_u32.to_be_bytes());
    let size = u32::try_from(out.len()).unwrap();
    out[4..8].copy_from_slice(&size.to_be_bytes());
    out[8..12].copy_from_slice(&181_u32.to_be_bytes());
    out[12..16].copy_from_slice(b"BBO#");
    for block in 1..count {
        let text = format!("{block:04}-ABCDEFGHIJKLMNOPQRSTUVWXYZ-");
        out[block * 32..block * 32 + 32].copy_from_slice(text.as_bytes());
    }
    Ok(Payload::Commarea(out))
}
