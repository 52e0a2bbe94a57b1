//! Requests of another door of the same process, which need no connection.
//!
//! What: the same way as that of a request from a connection of this machine, logon and rules and
//! all; what a body may have is bounded as there. Not here: who comes so (`transom_http`).

use crate::door::Dbrest;
use crate::peer::Peer;
use crate::reply::ReplyBody;
use crate::request;
use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::Request;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use transom_http::{Nearby, NearbyAnswer, NearbyError};

const HERE: Peer = Peer {
    address: IpAddr::V4(Ipv4Addr::LOCALHOST),
    secure: false,
};

/// Those that another door of this process needs no connection to.
pub fn nearby(listeners: &[Dbrest]) -> Vec<Arc<dyn Nearby>> {
    let plain = listeners.iter().filter(|listener| !listener.secure());
    plain.map(|one| Arc::new(one.clone()) as _).collect()
}

impl Nearby for Dbrest {
    fn address(&self) -> SocketAddr {
        Dbrest::address(self)
    }

    fn answer(&self, request: Request<Bytes>, most: usize) -> NearbyAnswer<'_> {
        Box::pin(async move {
            let request = request.map(Full::new);
            let response = request::answer(self.shared(), HERE, request).await;
            let status = response.status();
            let body = whole(response.into_body(), most).await?;
            Ok((status, body))
        })
    }
}

async fn whole(body: ReplyBody, most: usize) -> Result<Bytes, NearbyError> {
    if let ReplyBody::Whole(bytes) = body {
        let bytes = bytes.unwrap_or_default();
        return match bytes.len() <= most {
            true => Ok(bytes),
            false => Err(NearbyError::TooLong),
        };
    }
    match Limited::new(body, most).collect().await {
        Ok(all) => Ok(all.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(NearbyError::TooLong),
        Err(_) => Err(NearbyError::BrokenOff),
    }
}
