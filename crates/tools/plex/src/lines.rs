//! What a region says, with its name in front.
//!
//! What: a reader for each stream of a region's process, whose lines are bounded. Not here: what is
//! done with a line.

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};

/// Longest line that stays whole.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// Hands on each line until the stream ends.
pub(crate) async fn each(stream: impl AsyncRead + Unpin, name: String, say: fn(&str)) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut bounded = (&mut reader).take(LINE_BYTES_MAX);
        match bounded.read_until(b'\n', &mut line).await {
            Ok(1..) => {}
            _ => return,
        }
        let text = String::from_utf8_lossy(&line);
        say(&format!("{name} | {}", text.trim_end()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());

    #[tokio::test]
    async fn lines_have_the_name_in_front_and_a_length_that_ends() {
        let long = vec![b'x'; LINE_BYTES_MAX as usize + 1];
        let said = [b"one\r\n\xff\n".to_vec(), long].concat();
        let say = |line: &str| HEARD.lock().unwrap().push(line.to_owned());
        each(&said[..], "FOR1".to_owned(), say).await;
        let heard = HEARD.lock().unwrap();
        assert_eq!(heard[0], "FOR1 | one");
        assert_eq!(heard[1], "FOR1 | \u{fffd}");
        assert_eq!(heard[2].len(), "FOR1 | ".len() + LINE_BYTES_MAX as usize);
        assert_eq!((heard[3].as_str(), heard.len()), ("FOR1 | x", 4));
    }
}
