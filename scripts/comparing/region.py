"""A running region, and what is sent to it byte for byte.

What: starts and ends `transom run`, plays a 3270 script, records bytes of a plain TN3270 and of an HTTP
connection. Not here: what is compared.
"""

import pathlib
import signal
import socket
import subprocess
import time

PATIENCE = 120
# EBCDIC code page 37 of the characters that are typed here.
EBCDIC = {chr(n): bytes([b]) for n, b in zip(range(32, 127), "".join(map(chr, range(32, 127))).encode("cp037"))}
ENTER, CLEAR, PF3 = 0x7D, 0x6D, 0xF3


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Region:
    """`transom run` on a folder; ports of its own."""

    def __init__(self, transom, folder, *more):
        self.transom, self.folder = transom, pathlib.Path(folder)
        self.http, self.https, self.tn3270 = free_port(), free_port(), free_port()
        words = [transom, "run", ".", "--tn3270", str(self.tn3270), *more]
        if (self.folder / "server.xml").exists():
            words += ["--http", str(self.http), "--https", str(self.https)]
        self.said = open(self.folder / "said.txt", "wb+")
        self.process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=self.said)
        begin = time.time()
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.tn3270)).close()
                return
            except OSError:
                if self.process.poll() is not None or time.time() - begin > PATIENCE:
                    raise SystemExit(f"{folder}: the region does not serve\n{self.log()[-3000:]}")
                time.sleep(0.05)

    def log(self):
        return (self.folder / "said.txt").read_text(errors="replace")

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        self.process.wait(PATIENCE)

    def play(self, script):
        """The screens of a script of `transom drive 3270`."""
        words = [self.transom, "drive", "3270", f"localhost:{self.tn3270}", "--once", "--show", "--script", script]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout + done.stderr

    def request(self, method, path, body=b"", headers=()):
        """The raw reply of one HTTP request."""
        head = [f"{method} {path} HTTP/1.1", "host: localhost", "connection: close", f"content-length: {len(body)}"]
        text = "\r\n".join([*head, *headers, "", ""]).encode() + body
        with socket.create_connection(("127.0.0.1", self.http), timeout=PATIENCE) as s:
            s.sendall(text)
            return read_all(s, PATIENCE)

    def terminal(self):
        return Terminal(self.tn3270)


def read_all(connection, patience):
    """Everything until the peer ends, or is silent for so many seconds."""
    connection.settimeout(patience)
    got = b""
    try:
        while part := connection.recv(65536):
            got += part
    except (TimeoutError, ConnectionError):
        pass
    return got


class Terminal:
    """A TN3270 client that knows no screen: it negotiates model 2 and records what comes."""

    IAC, DONT, DO, WONT, WILL, SB, SE, EOR = 255, 254, 253, 252, 251, 250, 240, 239
    BINARY, TTYPE, END_OF_RECORD = 0, 24, 25

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.received = b""
        self.record()

    def record(self):
        """Reads until a record has come and the peer is silent; answers the options it asks for."""
        at, silent = len(self.received), 0
        while silent < 3:
            self.socket.settimeout(0.25)
            try:
                part = self.socket.recv(65536)
            except TimeoutError:
                ended = bytes([self.IAC, self.EOR]) in self.received[at:]
                silent += 1 if ended else 0.25
                continue
            if not part:
                return
            silent = 0
            self.received += part
            self.negotiate(part)

    def negotiate(self, part):
        i = 0
        while i + 2 < len(part):
            if part[i] == self.IAC and part[i + 1] in (self.DO, self.WILL):
                known = part[i + 2] in (self.BINARY, self.TTYPE, self.END_OF_RECORD)
                yes, no = (self.WILL, self.WONT) if part[i + 1] == self.DO else (self.DO, self.DONT)
                self.socket.sendall(bytes([self.IAC, yes if known else no, part[i + 2]]))
                i += 3
            elif part[i] == self.IAC and part[i + 1] == self.SB:
                name = b"IBM-3278-2-E"
                head, tail = bytes([self.IAC, self.SB, self.TTYPE, 0]), bytes([self.IAC, self.SE])
                self.socket.sendall(head + name + tail)
                i += 4
            else:
                i += 1

    def send(self, aid, text="", at=None):
        """Sends a key with text in a field (its address), or on a cleared screen."""
        record = bytes([aid])
        if aid != CLEAR:
            record += b"\x40\x40"
            record += b"\x11" + at if at else b""
            record += b"".join(EBCDIC[c] for c in text)
        self.socket.sendall(record + bytes([self.IAC, self.EOR]))
        self.record()

    def close(self):
        self.socket.close()
