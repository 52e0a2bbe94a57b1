//! Any bytes as an archive: a service or API, or a problem.
#![no_main]

use libfuzzer_sys::fuzz_target;
use transom_apidef::aar::ApiArchive;
use transom_apidef::sar::ServiceArchive;

fuzz_target!(|bytes: &[u8]| {
    let _service = ServiceArchive::read("fuzz.sar", bytes);
    let _api = ApiArchive::read("fuzz.aar", bytes);
});
