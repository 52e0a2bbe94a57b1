//! Reaching another region, and being reached on this host.
//!
//! A region has a socket named after its APPLID in the runtime folder of links; those of other
//! hosts are reached over TCP. Not here: what is said first by whom (`partner`), keeping a link
//! (`keep`), where others come in over TCP (`services`).

use crate::definition::Place;
use crate::frames::{Answered, Asked, Hello};
use crate::stream::Stream;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::{UnixListener, UnixStream};
use transom_intersystem::{is_trusted, socket_path};
use transom_region_ipic::{Keyring, connect};
use transom_types::Applid;

/// Time a region has for its first answer.
const HELLO_TIME: Duration = Duration::from_secs(5);

/// Where a region is reached.
pub(crate) fn socket(folder: &Path, applid: Applid) -> PathBuf {
    socket_path(folder, applid.as_str())
}

/// What a region is reached with.
#[derive(Debug)]
pub(crate) struct Reach {
    /// Its socket on this host.
    pub(crate) socket: PathBuf,
    pub(crate) keyring: Option<Keyring>,
}

impl Reach {
    async fn carrier(&self, place: &Place, applid: Applid) -> io::Result<Stream> {
        match place {
            Place::Nowhere => Err(refused(
                "its IPCONN has no PORT: it connects here".to_owned(),
            )),
            Place::Host => {
                let carrier = UnixStream::connect(&self.socket).await?;
                if !carrier.peer_cred().is_ok_and(|peer| is_trusted(peer.uid())) {
                    return Err(refused("it belongs to another user".to_owned()));
                }
                Ok(Stream::new(carrier))
            }
            Place::Tcp { host, port, tls } => {
                let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
                let tls = match (tls, &self.keyring) {
                    (None, _) => None,
                    (Some(_), None) => {
                        return Err(wrong(
                            "SSL needs [links] keyring in transom.toml".to_owned(),
                        ));
                    }
                    (Some(label), Some(keyring)) => {
                        let config = keyring
                            .connecting(label)
                            .map_err(|m| wrong(m.to_string()))?;
                        Some((config, applid))
                    }
                };
                Ok(Stream::new(connect(host, *port, tls).await?))
            }
        }
    }
}

/// A connection on which the other region knows this one.
pub(crate) async fn session(reach: &Reach, place: &Place, hello: &Hello) -> io::Result<Stream> {
    let opening = async {
        let mut stream = reach.carrier(place, hello.partner).await?;
        match stream.exchange(&Asked::Hello(hello.clone())).await? {
            Answered::Welcome(theirs) if theirs.applid == hello.partner => Ok(stream),
            Answered::Welcome(theirs) => Err(refused(format!(
                "region {} answers there",
                theirs.applid.as_str()
            ))),
            Answered::Refused(text) => Err(refused(text)),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    };
    let opened = tokio::time::timeout(HELLO_TIME, opening).await;
    opened.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

fn refused(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionRefused, text)
}

/// The socket of this region.
pub(crate) fn listen(socket: &Path) -> io::Result<UnixListener> {
    if socket.exists() {
        // A region that died leaves its socket behind; one that lives answers.
        if std::os::unix::net::UnixStream::connect(socket).is_ok() {
            let text = "another region of this APPLID is running";
            return Err(io::Error::new(io::ErrorKind::AddrInUse, text));
        }
        std::fs::remove_file(socket)?;
    }
    let listener = UnixListener::bind(socket)?;
    std::fs::set_permissions(socket, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}
