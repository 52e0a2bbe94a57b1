//! API definitions as users meet them: archives, configuration and mapping files in, values and
//! messages out.

mod accepted;
mod bad_archives;
mod fixtures;
mod ibm_apis;
mod ibm_end_to_end;
mod ibm_services;
mod ls2js;
mod server_xml;
mod toolkit;
