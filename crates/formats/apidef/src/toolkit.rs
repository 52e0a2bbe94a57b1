//! The API toolkit without an editor: copybooks and small YAML files into service and API archives.
//!
//! The archives have IBM's format and are read back by the code that reads IBM's own. Not here:
//! files; whoever calls gives texts and takes bytes.
//!
//! A service (COMMAREA; `response` may be left out when it is the same as `request`):
//!
//! ```yaml
//! name: order                  # service name
//! program: ORDPGM              # program to LINK
//! version: 1.0.0               # also: description, provider (CICS-1.0), connectionRef, transid,
//! ccsid: 37                    #   transidUsage (EIB_ONLY, EIB_AND_MIRROR),
//!                              #   contextContainers (list of headers),
//! profile: native              #   profile (native: this region's storage, host: z/OS storage)
//! properties: {trimOutputTrailingWhitespace: true}
//! request:
//!   copybook: order.cpy        # whoever calls finds the text
//!   record: ORDER-AREA         # needed when the copybook has several 01 items
//!   names: toolkit             # ORD_ID; camel: OrdId; ls2js: ord_id
//!   include: [ORD-ID]          # only these; default: all but FILLER, addresses, counters,
//!                              #   further REDEFINES arms
//!   exclude: [ORD-RATE]        # GROUP/ITEM tells items of one name apart
//!   rename: {ORD-ID: id}
//!   default: {ORD-KIND: Z, ORD-FLAG: "X'FF'"}
//!   redefines: {ORD-DATE: ORD-DATE-PARTS}   # the arm to use
//! ```
//!
//! For a channel, `request` and `response` have `containers:`, a list of the same keys with `name`,
//! `type` (BIT, CHAR), `required` and, without a copybook, `bytes`.
//!
//! An API:
//!
//! ```yaml
//! name: orders
//! basePath: /shop              # also: version, description
//! operations:
//! - method: PUT
//!   path: /orders/{id}
//!   service: order             # also: operationId
//!   request:
//!     path: {id: order/id}     # value: field; the outermost member may be left out.
//!                              #   query and header alike
//!     assign: {OrdKind: X}
//!     remove: [OrdTags]
//!     rename: {lines: items}
//!     move: {OrdNote: order/extra/note}
//!   responses:                 # tried in order; the one without `when` is the default
//!   - code: 404
//!     when: order/OrdReturn = 20 OR OrdNote startswith 'NO'
//!     remove: [order/lines]
//!     order: {order: [OrdKind, id]}   # members in this order, the others behind them
//!   - code: 200
//!     headers: {X-Total: OrdTotal, X-Served-By: =transom}   # a field, or = and a constant
//! ```

mod api;
mod items;
mod layout;
mod maps;
mod places;
mod rest;
mod service;

pub use api::build_api;
pub use rest::{RestService, build_rest_service};
pub use service::{BuiltService, build_service};
