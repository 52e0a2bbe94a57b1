//! Which task has which children, and their answers.
//!
//! What: tokens, states, who waits. Why apart: no tasks and no clock, so it can be tested alone.

use tokio::sync::oneshot;
use transom_region_dispatcher::ByTask;
use transom_types::Resp;
use transom_wire::asynchronous::Fetched;

/// Most children of one parent that were neither fetched nor freed, when nothing else is said.
pub const CHILDREN_MAX: usize = 1_000;

/// All parents.
#[derive(Default)]
pub struct Families {
    parents: ByTask<Parent>,
    last_child: u64,
}

#[derive(Default)]
struct Parent {
    /// In the order they were started.
    children: Vec<([u8; 16], State)>,
    /// Some children were fetched or freed.
    had_children: bool,
    waiter: Option<oneshot::Sender<()>>,
}

enum State {
    Running,
    Ended(Fetched),
    /// The answer was taken; kept so that a second FETCH CHILD is told so.
    Taken,
}

impl State {
    fn bytes(&self) -> u64 {
        match self {
            Self::Ended(fetched) => fetched.reply.len() as u64,
            Self::Running | Self::Taken => 0,
        }
    }
}

/// What a FETCH finds.
pub enum Found {
    /// The answer of a child.
    Answer(Fetched),
    /// A condition.
    Refused(Resp, u32),
    /// Nothing yet; ready when a child ended.
    Wait(oneshot::Receiver<()>),
}

impl Families {
    /// A new child, and how many of the parent's were not fetched now; `None`: the parent has too
    /// many.
    pub fn add(&mut self, parent: u32, most: usize) -> Option<([u8; 16], usize)> {
        self.last_child += 1;
        let mut token = [0; 16];
        token[..4].copy_from_slice(b"TXMC");
        token[4..8].copy_from_slice(&parent.to_be_bytes());
        token[8..].copy_from_slice(&self.last_child.to_be_bytes());
        let family = self.parents.entry(parent).or_default();
        let unfetched = |(_, state): &&([u8; 16], State)| !matches!(state, State::Taken);
        let children = family.children.iter().filter(unfetched).count();
        if children >= most {
            return None;
        }
        if family.children.len() >= most.saturating_mul(2) {
            let taken = |(_, state): &([u8; 16], State)| matches!(state, State::Taken);
            if let Some(at) = family.children.iter().position(taken) {
                family.children.remove(at);
            }
        }
        family.had_children = true;
        family.children.push((token, State::Running));
        Some((token, children + 1))
    }

    /// A child ended. The error: it was freed, or its parent is gone, and so many bytes of its
    /// answer are not kept.
    pub fn child_ended(&mut self, parent: u32, fetched: Fetched) -> Result<(), u64> {
        let bytes = fetched.reply.len() as u64;
        let family = self.parents.get_mut(&parent).ok_or(bytes)?;
        let child = family.children.iter_mut().find(|c| c.0 == fetched.token);
        let (_, state) = child.ok_or(bytes)?;
        *state = State::Ended(fetched);
        if let Some(waiter) = family.waiter.take() {
            // A parent that was purged meanwhile does not wait any more.
            let _gone = waiter.send(());
        }
        Ok(())
    }

    /// The answer of this child, or of any.
    pub fn take(&mut self, parent: u32, token: Option<[u8; 16]>, may_wait: bool) -> Found {
        let Some(family) = self.parents.get_mut(&parent) else {
            return Found::Refused(Resp::INVREQ, if token.is_some() { 50 } else { 52 });
        };
        let is_wanted = |child: &([u8; 16], State)| match token {
            Some(token) => child.0 == token,
            None => !matches!(child.1, State::Taken),
        };
        if !family.children.iter().any(is_wanted) {
            return match (token, family.had_children) {
                (Some(_), _) => Found::Refused(Resp::INVREQ, 50),
                (None, true) => Found::Refused(Resp::NOTFND, 1),
                (None, false) => Found::Refused(Resp::INVREQ, 52),
            };
        }
        for child in family.children.iter_mut().filter(|child| is_wanted(child)) {
            match std::mem::replace(&mut child.1, State::Taken) {
                State::Ended(fetched) => return Found::Answer(fetched),
                State::Taken => return Found::Refused(Resp::INVREQ, 51),
                State::Running => child.1 = State::Running,
            }
        }
        if !may_wait {
            return Found::Refused(Resp::NOTFINISHED, 52);
        }
        let (post, ended) = oneshot::channel();
        family.waiter = Some(post);
        Found::Wait(ended)
    }

    /// Answers how many bytes of its answer nobody needs any more; `None`: not a child of this
    /// task.
    pub fn free(&mut self, parent: u32, token: &[u8]) -> Option<u64> {
        let family = self.parents.get_mut(&parent)?;
        let at = family.children.iter().position(|(t, _)| t[..] == *token)?;
        Some(family.children.remove(at).1.bytes())
    }

    /// The children belong to nobody any more. Answers how many bytes of answers nobody needs.
    pub fn parent_ended(&mut self, parent: u32) -> u64 {
        let family = self.parents.remove(&parent).unwrap_or_default();
        family.children.iter().map(|(_, state)| state.bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(token: [u8; 16]) -> Fetched {
        Fetched {
            token,
            security: false,
            abcode: None,
            reply: Vec::new(),
        }
    }

    fn refused(found: Found) -> (Resp, u32) {
        match found {
            Found::Refused(resp, resp2) => (resp, resp2),
            _ => panic!("not refused"),
        }
    }

    #[test]
    fn answers_are_taken_once_and_only_by_the_parent() {
        let mut families = Families::default();
        assert_eq!(refused(families.take(7, None, true)), (Resp::INVREQ, 52));
        let (one, two) = (
            families.add(7, CHILDREN_MAX).unwrap().0,
            families.add(7, CHILDREN_MAX).unwrap().0,
        );
        assert_eq!(
            refused(families.take(8, Some(one), true)),
            (Resp::INVREQ, 50)
        );
        assert_eq!(
            refused(families.take(7, None, false)),
            (Resp::NOTFINISHED, 52)
        );
        assert!(matches!(families.take(7, None, true), Found::Wait(_)));
        assert_eq!(families.child_ended(7, ended(two)), Ok(()));
        assert!(matches!(families.take(7, None, true), Found::Answer(f) if f.token == two));
        assert_eq!(
            refused(families.take(7, Some(two), true)),
            (Resp::INVREQ, 51)
        );
        assert_eq!(families.free(7, &one), Some(0));
        assert_eq!(families.free(7, &one), None);
        assert_eq!(refused(families.take(7, None, true)), (Resp::NOTFND, 1));
        let mut late = ended(one);
        late.reply = vec![0; 9];
        assert_eq!(families.child_ended(7, late), Err(9), "freed");
        let three = families.add(7, CHILDREN_MAX).unwrap().0;
        let mut unread = ended(three);
        unread.reply = vec![0; 5];
        assert_eq!(families.child_ended(7, unread), Ok(()));
        assert_eq!(families.parent_ended(7), 5);
        assert_eq!(refused(families.take(7, None, true)), (Resp::INVREQ, 52));
    }

    #[test]
    fn children_are_limited() {
        let mut families = Families::default();
        for _ in 0..CHILDREN_MAX {
            assert!(families.add(1, CHILDREN_MAX).is_some());
        }
        assert!(families.add(1, CHILDREN_MAX).is_none());
        assert!(families.add(2, CHILDREN_MAX).is_some());
    }
}
