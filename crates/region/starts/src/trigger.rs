//! When a transient data queue starts its task.
//!
//! What: the count of records and the cycle of one queue: a task starts when the trigger level is
//! reached, the next one not before the queue was emptied (at the end of the task for a logically
//! recoverable queue) or, without terminal, the task ended. A task at a terminal that ends normally
//! without emptying the queue starts again. Not here: starting it (`ati`).

use transom_wire::definitions::{TdQueueEntry, TdRecovery};

/// The trigger of one queue.
#[derive(Debug, Default)]
pub struct Trigger {
    /// Records anybody may read.
    pub count: u64,
    /// Number of the cycle whose task was started; `None`: no task yet.
    active: Option<u64>,
    /// Read until empty in this cycle.
    emptied: bool,
    /// Cycles that began, each with a task.
    pub cycles: u64,
}

/// What a trigger knows of its queue.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// TRIGGERLEVEL; 0: never.
    pub level: u64,
    /// RECOVSTATUS(LOGICAL).
    pub logical: bool,
    /// ATIFACILITY(TERMINAL).
    pub at_terminal: bool,
}

impl Rules {
    /// By the definition of the queue.
    pub fn of(entry: &TdQueueEntry) -> Self {
        Self {
            level: entry.transid.map_or(0, |_| u64::from(entry.trigger_level)),
            logical: entry.recovery == TdRecovery::Logical,
            at_terminal: entry.terminal.is_some(),
        }
    }
}

impl Trigger {
    /// Records came. Answers the cycle to start a task for.
    pub fn written(&mut self, records: u64, rules: Rules) -> Option<u64> {
        self.count += records;
        self.begin(rules)
    }

    /// Records were taken.
    pub fn taken(&mut self, records: u64) {
        self.count = self.count.saturating_sub(records);
    }

    /// A READQ found the queue empty.
    pub fn found_empty(&mut self, rules: Rules) {
        if rules.logical {
            self.emptied = true;
        } else {
            self.active = None;
        }
    }

    /// The task of a cycle ended. Answers the cycle to start another task for.
    pub fn task_ended(&mut self, cycle: u64, normally: bool, rules: Rules) -> Option<u64> {
        if self.active != Some(cycle) {
            return None;
        }
        self.active = None;
        let emptied = std::mem::take(&mut self.emptied);
        if emptied {
            return self.begin(rules);
        }
        // Without terminal the next write looks at the level again.
        if rules.at_terminal && normally && self.count > 0 {
            return Some(self.next_cycle());
        }
        None
    }

    fn begin(&mut self, rules: Rules) -> Option<u64> {
        let reached = rules.level > 0 && self.count >= rules.level;
        if !reached || self.active.is_some() {
            return None;
        }
        Some(self.next_cycle())
    }

    fn next_cycle(&mut self) -> u64 {
        self.cycles += 1;
        self.active = Some(self.cycles);
        self.emptied = false;
        self.cycles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        level: 3,
        logical: false,
        at_terminal: false,
    };

    #[test]
    fn the_third_record_starts_one_task() {
        let mut trigger = Trigger::default();
        assert_eq!(trigger.written(1, RULES), None);
        assert_eq!(trigger.written(1, RULES), None);
        assert_eq!(trigger.written(1, RULES), Some(1));
        assert_eq!(trigger.written(5, RULES), None, "one task at a time");
        trigger.taken(8);
        trigger.found_empty(RULES);
        assert_eq!(
            trigger.written(3, RULES),
            Some(2),
            "a new cycle after QZERO"
        );
        assert_eq!(trigger.task_ended(1, true, RULES), None);
        assert_eq!(trigger.written(1, RULES), None, "the second still runs");
        assert_eq!(trigger.task_ended(2, true, RULES), None);
        assert_eq!(
            trigger.written(1, RULES),
            Some(3),
            "the next write looks again"
        );
    }

    #[test]
    fn a_logical_queue_waits_for_the_end_of_its_task() {
        let rules = Rules {
            level: 1,
            logical: true,
            ..RULES
        };
        let mut trigger = Trigger::default();
        assert_eq!(trigger.written(1, rules), Some(1));
        trigger.taken(1);
        trigger.found_empty(rules);
        assert_eq!(trigger.written(1, rules), None);
        assert_eq!(trigger.task_ended(1, true, rules), Some(2));
    }

    #[test]
    fn a_terminal_is_tried_again_unless_the_task_abended() {
        let rules = Rules {
            at_terminal: true,
            ..RULES
        };
        let mut trigger = Trigger::default();
        assert_eq!(trigger.written(4, rules), Some(1));
        assert_eq!(trigger.task_ended(1, true, rules), Some(2));
        assert_eq!(trigger.task_ended(2, false, rules), None);
        assert_eq!(trigger.written(1, rules), Some(3));
    }

    #[test]
    fn level_zero_never_starts() {
        let rules = Rules { level: 0, ..RULES };
        assert_eq!(Trigger::default().written(10, rules), None);
    }
}
