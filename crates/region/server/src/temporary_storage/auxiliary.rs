//! Items of auxiliary temporary storage between workers, shared storage and disk.
//!
//! What: what workers ask for items on disk, and items of the last run. Not here: the file
//! (`spill`), what goes to disk (`transom_wire::temporary_storage::writeq`).

use super::Queues;
use crate::replier::Replier;
use std::sync::Arc;
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::Space;
use transom_wire::requests::RegionAnswer;
use transom_wire::temporary_storage::{self as items, Request};
use transom_wire::temporary_storage::{Item, New, Token};

impl Queues {
    /// Items on disk: the file may be slow, so not on the pump's thread.
    pub(super) fn answer_auxiliary(self: &Arc<Self>, replier: Replier, request: Request) {
        if let Request::Free(name, numbers) = request {
            for number in numbers {
                self.spill.free(name.as_bytes(), number);
            }
            return replier.answer(&RegionAnswer::normal());
        }
        let service = self.clone();
        let work = move || {
            let spill = &service.spill;
            let done = match request {
                Request::Spill(name, data) => {
                    spill
                        .put(name.as_bytes(), &data)
                        .map(|number| match number {
                            Some(number) => RegionAnswer::with(&number),
                            None => RegionAnswer::refused(Resp::NOSPACE, 0, ""),
                        })
                }
                Request::Fetch(name, number) => {
                    spill.get(name.as_bytes(), number).map(|data| match data {
                        Some(data) => RegionAnswer::with_data(data),
                        None => RegionAnswer::refused(Resp::NOTFND, 0, ""),
                    })
                }
                _ => return RegionAnswer::damaged(),
            };
            done.unwrap_or_else(|error| {
                let text = messages::ts::auxiliary_failed(&error);
                service.kernel.tell(text.clone());
                RegionAnswer::refused(Resp::IOERR, 0, text)
            })
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return replier.answer(&work());
        };
        let done = runtime.spawn_blocking(work);
        replier.answer_with(async move {
            let answer = done.await;
            answer.unwrap_or_else(|_| RegionAnswer::refused(Resp::IOERR, 0, ""))
        });
    }

    /// Puts an item of the last run into its place. `false`: neither memory nor disk has room.
    pub(crate) fn put_back(&self, name: &[u8], item: u32, record: &[u8]) -> bool {
        let shared = self.kernel.shared();
        let put = |new: New<'_>| {
            let mut stored = false;
            shared.with_group(Space::TsMain, name, &mut |group| {
                stored = items::put(group, item, new);
            });
            stored
        };
        let short = record.len() < items::SPILL_BYTES_MIN;
        if (short || !items::is_nearly_full(shared)) && put(New::Data(record)) {
            return true;
        }
        match self.spill.put(name, record) {
            Ok(Some(number)) => {
                let bytes = record.len() as u32;
                put(New::Token(Token { number, bytes }))
            }
            _ => put(New::Data(record)),
        }
    }

    /// Copies an item, wherever it lies.
    pub(crate) fn copy(&self, name: &[u8], item: u32) -> Option<Vec<u8>> {
        let (mut data, mut token) = (None, None);
        let shared = self.kernel.shared();
        shared.with_group(
            Space::TsMain,
            name,
            &mut |group| match items::item(group, item) {
                Some(Item::Here(bytes)) => data = Some(bytes.to_vec()),
                Some(Item::Spilled(found)) => token = Some(found.number),
                None => {}
            },
        );
        let token = token.and_then(|token| self.spill.get(name, token).ok()?);
        data.or(token)
    }

    /// Deletes a queue in shared memory, with what it has on disk.
    pub(crate) fn drop_queue(&self, name: &[u8]) {
        let (_, tokens) = items::delete_if(self.kernel.shared(), name, &|_| true);
        for token in tokens {
            self.spill.free(name, token);
        }
    }
}
