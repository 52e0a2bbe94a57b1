//! Looking after the targets of a host.
//!
//! What: each target is connected to from time to time; one that does not answer gets no sessions
//! while others do. Not here: what two looks mean (`targets`).

use crate::answer::NoAnswer;
use crate::host::Host;
use crate::leg::Taken;
use crate::opening;
use crate::plan::Plan;
use crate::scratch;
use crate::targets::Target;
use std::fmt::Display;
use std::future::poll_fn;
use std::time::Duration;
use tokio::time::{sleep, timeout};
use transom_datastream::telnet::IAC;
use transom_messages as messages;

/// Between two looks at a plan that wants none.
const NO_LOOKS: Duration = Duration::from_secs(5);

/// Looks for ever.
pub(crate) async fn look(host: &Host) {
    loop {
        let plan = host.plan();
        if plan.settings.check == "NO" {
            sleep(NO_LOOKS).await;
            continue;
        }
        for target in plan.targets.all() {
            let found = answers(&plan, target).await;
            if target.looked(found.as_ref().copied().map_err(|e| e as &dyn Display)) {
                let told = match target.is_down() {
                    true => messages::rd::target_down(&target.name, &plan.name, target.why()),
                    false => messages::rd::target_up(&target.name, &plan.name),
                };
                host.shared.operator.tell(told);
            }
        }
        sleep(plan.settings.check_seconds).await;
    }
}

async fn answers(plan: &Plan, target: &Target) -> Result<(), NoAnswer> {
    let mut leg = opening::connect(plan, target, None).await?;
    if plan.settings.check != "TELNET" {
        return Ok(());
    }
    let first = poll_fn(|cx| {
        scratch::with(|scratch| {
            leg.poll_take(cx, scratch)
                .map(|taken| (taken, scratch.text.plain.first().copied()))
        })
    });
    match timeout(plan.settings.connect_seconds, first).await {
        Ok((Ok(Taken::Some), Some(IAC))) => Ok(()),
        Ok((Err(failed), _)) => Err(NoAnswer::Failed(failed)),
        Ok(_) => Err(NoAnswer::NoTelnet),
        Err(_) => Err(NoAnswer::Silent),
    }
}
