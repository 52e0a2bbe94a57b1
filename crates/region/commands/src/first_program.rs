//! The first program of a task and what it is given: COMMAREA or channel.
//!
//! Not here: EIB and TWA, which a task has before (`exec`).

use crate::attach::{announce, pgmiderr_reason, start_area};
use crate::channel::state::{CALLER, Container};
use crate::command::Fail;
use crate::exec::{Executor, ReadStart};
use crate::program::resolve::resolve;
use crate::program::state::Level;
use crate::task_state::Refusal;
use crate::{eib, terminal};
use transom_messages as messages;
use transom_types::{ProgramName, Resp};
use transom_wire::Module;
use transom_wire::payload::{Section, StartData};
use transom_workers::seam::{Area, Host, TaskStart};

impl Executor {
    /// Prepares COMMAREA or channel and the first program; a refusal when that cannot be.
    pub(crate) fn attach(
        &mut self,
        host: &mut dyn Host,
        attach: &TaskStart<'_>,
        start: ReadStart<'_>,
    ) -> Result<(Module, Area), Refusal> {
        let refuse = |resp, resp2, text: String| Refusal { resp, resp2, text };
        let (start, data, sections) =
            start.map_err(|bad| refuse(Resp::INVREQ, 0, bad.to_string()))?;
        self.task.start = start;
        terminal::events::begin(host, &mut self.task, sections.get(Section::Terminal));
        let retrieve = sections.get(Section::Retrieve);
        (self.task.interval).begin(retrieve.or(sections.get(Section::RetrieveElsewhere)));
        self.task.children.begin(sections.get(Section::Parent));
        crate::task::association::begin(&mut self.task, sections.get(Section::Origin));
        announce(host, &self.task, attach);
        let module = resolve(host, &mut self.region, attach.program).map_err(|fail| {
            let resp2 = match fail {
                Fail::Raise(_, resp2) => resp2,
                Fail::Abend(..) | Fail::Ship(_) => 0,
            };
            let text = messages::pg::cannot_run(attach.program, pgmiderr_reason(resp2)).to_string();
            refuse(Resp::PGMIDERR, resp2, text)
        })?;
        let (area, channel) = match data {
            StartData::Commarea(bytes) => {
                self.task.sent_bytes = bytes.len();
                (start_area(host, bytes, start.reply_bytes_max)?, None)
            }
            StartData::Channel(name, containers) => {
                let id = self.task.channels.create(name, Some(CALLER));
                if let Some(channel) = self.task.channels.get_mut(id) {
                    channel
                        .containers
                        .extend(containers.iter().map(|from| Container {
                            name: from.name,
                            data: from.bytes.to_vec(),
                            ccsid: from.ccsid,
                            set_area: 0,
                        }));
                }
                (Area::default(), Some(id))
            }
        };
        self.task.reply_area = area;
        self.task.reply_channel = channel;
        let invoked_by = self.task.mirror().unwrap_or(ProgramName::BLANK);
        self.task
            .levels
            .push(Level::new(attach.program, invoked_by, area, channel));
        eib::set_commarea_bytes(host.eib_mut(), area.bytes);
        Ok((module, area))
    }
}
