//! Tasks: attach, reply.

use crate::support::Region;

pub(crate) const TESTS: &[(&str, fn())] = &[("tasks::echo", echo)];

fn echo() {
    let region = Region::start(|_| ());
    assert_eq!(region.normal("ECHO", "0010xxxxxx"), "0016ECHOED");
    assert_eq!(region.normal("ECHO", "0010xxxxxx"), "0016ECHOED");
}
