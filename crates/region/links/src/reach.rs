//! Reaching another region of this host, and being reached.
//!
//! A region has a socket named after its APPLID in the runtime folder of links. Not here: what is
//! said first by whom (`partner`), keeping a link (`keep`).

use crate::frames::{Answered, Asked, Hello};
use crate::stream::Stream;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::{UnixListener, UnixStream};
use transom_intersystem::{is_trusted, socket_path};
use transom_types::Applid;

/// Time a region has for its first answer.
const HELLO_TIME: Duration = Duration::from_secs(5);

/// Where a region is reached.
pub(crate) fn socket(folder: &Path, applid: Applid) -> PathBuf {
    socket_path(folder, applid.as_str())
}

/// A connection on which the other region knows this one.
pub(crate) async fn session(socket: &Path, hello: &Hello) -> io::Result<Stream> {
    let opening = async {
        let carrier = UnixStream::connect(socket).await?;
        if !carrier.peer_cred().is_ok_and(|peer| is_trusted(peer.uid())) {
            return Err(refused("it belongs to another user".to_owned()));
        }
        let mut stream = Stream::new(carrier);
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
