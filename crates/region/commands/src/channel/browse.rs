//! EXEC CICS STARTBROWSE, GETNEXT and ENDBROWSE CONTAINER: the names of a channel's containers.
//!
//! The names are those at STARTBROWSE; containers deleted since are passed over. Conditions:
//! STARTBROWSE: CHANNELERR 1, 2; INVREQ 4 (no current channel). GETNEXT: END 2, TOKENERR 3 (no such
//! browse). ENDBROWSE: TOKENERR 3.

use super::named::existing_channel;
use super::state::Browse;
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;

/// STARTBROWSE CONTAINER.
pub(crate) fn start(cx: &mut Cx<'_>) -> Done {
    let channel = existing_channel(cx, opt::CHANNEL)?;
    let channels = &mut cx.task.channels;
    let names = channels
        .get(channel)
        .map(|c| c.containers.iter().map(|c| c.name).collect());
    channels.next_token += 1;
    let token = channels.next_token;
    channels.browses.push(Browse {
        token,
        channel,
        names: names.unwrap_or_default(),
    });
    cx.set_number(opt::BROWSETOKEN, i64::from(token));
    NORMAL
}

/// GETNEXT CONTAINER.
pub(crate) fn next(cx: &mut Cx<'_>) -> Done {
    let token = cx.number(opt::BROWSETOKEN);
    let channels = &mut cx.task.channels;
    let found = channels
        .browses
        .iter()
        .position(|b| Some(i64::from(b.token)) == token);
    let Some(at) = found else {
        return raise(Resp::TOKENERR, 3);
    };
    let (channel, mut names) = {
        let browse = &mut channels.browses[at];
        (browse.channel, std::mem::take(&mut browse.names))
    };
    let next = loop {
        match names.pop_front() {
            Some(name)
                if channels
                    .get(channel)
                    .is_some_and(|c| c.position(name).is_some()) =>
            {
                break Some(name);
            }
            Some(_) => {}
            None => break None,
        }
    };
    channels.browses[at].names = names;
    let Some(name) = next else {
        return raise(Resp::END, 2);
    };
    cx.set_text(opt::CONTAINER, name.as_str());
    NORMAL
}

/// ENDBROWSE CONTAINER.
pub(crate) fn end(cx: &mut Cx<'_>) -> Done {
    let token = cx.number(opt::BROWSETOKEN);
    let browses = &mut cx.task.channels.browses;
    let Some(at) = browses
        .iter()
        .position(|b| Some(i64::from(b.token)) == token)
    else {
        return raise(Resp::TOKENERR, 3);
    };
    browses.remove(at);
    NORMAL
}
