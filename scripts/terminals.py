"""Two emulators at one server: tnz and s3270 type the same and must show the same, plane by plane.

usage: terminals.py PORT WALK     WALK: carddemo, or supplied (transactions every region has)

tnz is an independent 3270 emulator; it ends a session at anything it does not know in a data stream,
which counts as a failure here. Compared are characters (as EBCDIC), field attributes, highlighting,
colour, the cursor and whether the keyboard is locked. Clocks and terminal names are left out.
"""

import logging
import re
import subprocess
import sys
import time

from tnz.tnz import Tnz

PATIENCE = 20
# A screen is complete when nothing has come for so long.
QUIET = 0.15
PLANES = ("character", "field attribute", "highlighting", "colour")
# What differs from moment to moment and from terminal to terminal.
VARIES = re.compile(
    r"\d\d:\d\d:\d\d|\bTERM\w*\W+\w{4}\b|\bLU\W+\w{1,8}",
    re.IGNORECASE,
)


class Differs(Exception):
    pass


class Screen:
    """What a terminal shows: one list a plane, and where the cursor is."""

    def __init__(self, rows, columns, cursor, planes):
        self.rows, self.columns, self.cursor, self.planes = rows, columns, cursor, planes

    def lines(self):
        shown, hidden = [], False
        for cell, field in zip(self.planes[0], self.planes[1]):
            if field is not None:
                hidden = field & 0x0C == 0x0C
            shown.append(" " if field is not None or hidden else bytes([cell]).decode("cp037"))
        text = "".join(c if c.isprintable() else " " for c in shown)
        return [text[i : i + self.columns] for i in range(0, len(text), self.columns)]


class Problems(logging.Handler):
    """What tnz complains of."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.said = []

    def emit(self, record):
        self.said.append(record.getMessage())


class TnzTerminal:
    def __init__(self, port, kind, size, extended, colour, problems):
        self.tnz = tnz = Tnz()
        tnz.terminal_type, (tnz.amaxrow, tnz.amaxcol) = kind, size
        tnz.use_tn3270e, tnz.capable_color = extended, colour
        tnz.encoding = "cp037"
        self.problems = problems
        tnz.connect("127.0.0.1", port)
        self.settle()

    def settle(self):
        """Until the keyboard is free and nothing more comes."""
        begin = quiet = time.monotonic()
        while True:
            if self.tnz.wait(0.05):
                quiet = time.monotonic()
            now = time.monotonic()
            if self.tnz.seslost or self.problems.said:
                raise Differs(f"tnz: {self.tnz.seslost} {self.problems.said}")
            free = not (self.tnz.pwait or self.tnz.system_lock_wait)
            if free and now - quiet > QUIET:
                return
            if now - begin > PATIENCE:
                raise Differs("tnz: the keyboard stays locked\n" + "\n".join(self.screen().lines()))

    def fill(self, row, column, text):
        self.tnz.set_cursor_position(row, column)
        self.tnz.key_eraseeof()
        self.tnz.key_data(text)

    def press(self, key):
        getattr(self.tnz, key.lower())()
        self.settle()

    def type(self, text):
        self.tnz.key_data(text)

    def screen(self):
        t = self.tnz
        fields = [f & 0x3F if f else None for f in t.plane_fa]
        # The byte under a field attribute is no character.
        cells = [0 if f is not None else c for c, f in zip(t.plane_dc, fields)]
        planes = (cells, fields, list(t.plane_eh), list(t.plane_fg))
        return Screen(t.maxrow, t.maxcol, t.curadd, planes)

    def close(self):
        self.tnz.close()


class S3270Terminal:
    def __init__(self, port, arguments, prefix):
        self.child = subprocess.Popen(
            ["s3270", "-utf8", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.status = []
        self.act(f"Connect({prefix}127.0.0.1:{port})")
        self.settle()

    def act(self, action, must=True):
        self.child.stdin.write(action + "\n")
        self.child.stdin.flush()
        data = []
        while True:
            line = self.child.stdout.readline().rstrip("\n")
            if line.startswith("data: "):
                data.append(line[6:])
            elif line in ("ok", "error", ""):
                if line != "ok" and must:
                    raise Differs(f"s3270: {action}: {data} {self.status}")
                return data
            else:
                self.status = line.split(" ")

    def settle(self):
        begin = time.monotonic()
        while True:
            self.act("Wait(5,Unlock)", must=False)
            time.sleep(QUIET)
            self.act("Query(Cursor)")
            if self.status[0] == "U":
                return
            if time.monotonic() - begin > PATIENCE:
                raise Differs("s3270: the keyboard stays locked\n" + "\n".join(self.act("Ascii()")))

    def fill(self, row, column, text):
        self.act(f"MoveCursor({row - 1},{column - 1})")
        self.act("EraseEOF()")
        self.type(text)

    def type(self, text):
        if text:
            self.act(f'String("{text}")')

    def press(self, key):
        named = re.fullmatch(r"(PF|PA)(\d+)", key)
        self.act(f"{named[1]}({named[2]})" if named else f"{key.capitalize()}()")
        self.settle()

    def screen(self):
        cells, fields, highlights, colours = [], [], [], []
        own = {"41": 0, "42": 0}
        lines = self.act("ReadBuffer(Ebcdic)")
        for token in " ".join(lines).split():
            kind, _, inside = token.partition("(")
            if kind in ("SF", "SA"):
                pairs = dict(p.split("=") for p in inside.rstrip(")").split(","))
                if kind == "SA":
                    own.update({k: int(v, 16) for k, v in pairs.items()})
                    continue
                cells.append(0)
                fields.append(int(pairs["c0"], 16) & 0x3F)
                highlights.append(int(pairs.get("41", "0"), 16))
                colours.append(int(pairs.get("42", "0"), 16))
            else:
                cells.append(int(inside.rstrip(")") or kind, 16))
                fields.append(None)
                # A default is 00 in one emulator and the name of the default, F0, in the other.
                highlights.append(own["41"] if own["41"] != 0xF0 else 0)
                colours.append(own["42"] if own["42"] != 0xF0 else 0)
        columns = len(lines[0].split()) - lines[0].count("SA(")
        cursor = int(self.status[8]) * columns + int(self.status[9])
        return Screen(len(lines), columns, cursor, (cells, fields, highlights, colours))

    def close(self):
        try:
            self.child.stdin.write("Quit()\n")
            self.child.stdin.close()
            self.child.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.child.kill()


def compare(name, one, two):
    if (one.rows, one.columns) != (two.rows, two.columns):
        raise Differs(f"{name}: tnz has {one.rows}x{one.columns}, s3270 {two.rows}x{two.columns}")
    varies = set()
    for lines in (one.lines(), two.lines()):
        for row, line in enumerate(lines):
            for found in VARIES.finditer(line):
                varies.update(range(row * one.columns + found.start(), row * one.columns + found.end()))
    faults = []
    for plane, left, right in zip(PLANES, one.planes, two.planes):
        for at, (l, r) in enumerate(zip(left, right)):
            if l != r and not (plane == "character" and at in varies):
                faults.append(f"{plane} at {at // one.columns + 1},{at % one.columns + 1}: tnz {l} s3270 {r}")
    if one.cursor != two.cursor:
        faults.append(f"cursor: tnz {one.cursor} s3270 {two.cursor}")
    if faults:
        shown = "\n".join(one.lines()) + "\n" + "-" * one.columns + "\n" + "\n".join(two.lines())
        raise Differs(f"{name}: {len(faults)} differences\n" + "\n".join(faults[:20]) + "\n" + shown)


class Walk:
    """Both terminals side by side."""

    def __init__(self, terminals):
        self.terminals, self.screens = terminals, 0

    def both(self, what, *arguments):
        for terminal in self.terminals:
            getattr(terminal, what)(*arguments)

    def look(self, name, wanted=""):
        one, two = (terminal.screen() for terminal in self.terminals)
        if wanted not in "\n".join(one.lines()):
            raise Differs(f"{name}: no {wanted!r} on\n" + "\n".join(one.lines()))
        compare(name, one, two)
        self.screens += 1

    def start(self, transaction, name=None, wanted=""):
        self.both("press", "CLEAR")
        self.both("type", transaction)
        self.both("press", "ENTER")
        self.look(name or transaction, wanted)

    def press(self, key, name, wanted=""):
        self.both("press", key)
        self.look(name, wanted)

    def fill(self, *fields):
        for row, column, text in fields:
            self.both("fill", row, column, text)

    def enter(self, name, wanted="", *fields):
        self.fill(*fields)
        self.press("ENTER", name, wanted)


def supplied(walk):
    """Transactions every region has, and a transaction nobody has."""
    walk.look("welcome")
    walk.both("press", "CLEAR")
    walk.look("cleared")
    walk.start("NONE", "no such transaction", "NONE")
    walk.start("CESN", "sign-on")
    walk.press("PF3", "sign-on left")
    walk.start("JUDG", "a map on the alternate size", "EVERY COLOUR")


def orders(walk):
    """Data streams that programs write themselves, and what comes of typing into them."""
    supplied(walk)
    for number in range(8):
        walk.start(f"OR0{number}", f"orders, stream {number}")
        if "TXM" in (shown := "\n".join(walk.terminals[0].screen().lines())):
            raise Differs(f"orders, stream {number}: refused\n{shown}")
        if number in (2, 4):
            walk.both("type", "x9")
            walk.look(f"orders, stream {number}, typed")


def sign_on(walk, user):
    """PF3 leads out of every screen of the application."""
    for _ in range(6):
        shown = "\n".join(walk.terminals[0].screen().lines())
        if "Type your User ID" in shown:
            break
        if "Prog:" in shown or "Prog :" in shown:
            walk.both("press", "PF3")
        else:
            walk.both("press", "CLEAR")
            walk.both("type", "CC00")
            walk.both("press", "ENTER")
    walk.look(f"sign-on of {user}", "Type your User ID")
    walk.enter(f"menu of {user}", "Please select an option", (19, 44, user), (20, 44, "PASSWORD"))


def carddemo(walk):
    orders(walk)
    walk.start("CC00", "sign-on", "Type your User ID")
    walk.enter("wrong password", "Wrong Password", (19, 44, "USER0001"), (20, 44, "WRONG"))
    walk.enter("nobody", "User not found", (19, 44, "NOBODY"), (20, 44, "PASSWORD"))
    sign_on(walk, "USER0001")
    walk.enter("an option that is none", "", (20, 42, "99"))
    account = (5, 39, "00000000001")

    def option(number, name, wanted=""):
        sign_on(walk, "USER0001")
        walk.enter(name, wanted, (20, 42, number))

    option("01", "account view")
    walk.enter("account shown", "", account)
    walk.enter("account of nobody", "not found", (5, 39, "99999999999"))
    walk.press("PF3", "back at the menu", "Please select an option")
    option("02", "account update")
    walk.enter("account to change", "", account)
    option("03", "card list")
    walk.press("PF8", "card list, next page")
    walk.press("PF8", "card list, third page")
    walk.press("PF7", "card list, back")
    option("04", "card detail")
    walk.enter("card detail, refused", "", (7, 46, "00000000001"))
    option("05", "card update")
    option("06", "transaction list")
    option("07", "transaction view")
    walk.enter("transaction of nobody", "", (6, 22, "9999999999999999"))
    option("08", "transaction add")
    walk.enter("transaction add, refused", "", (6, 22, "00000000001"))
    option("09", "reports")
    option("10", "bill payment")
    walk.enter("bill payment, not confirmed", "", (6, 22, "00000000001"))
    sign_on(walk, "ADMIN001")
    walk.enter("user list", "ADMIN001", (20, 42, "01"))
    sign_on(walk, "ADMIN001")
    walk.enter("user add", "", (20, 42, "02"))
    walk.enter("user add, refused", "", (8, 19, "WALK"))
    sign_on(walk, "ADMIN001")
    walk.enter("user update", "", (20, 42, "03"))
    walk.enter("user to change", "Press PF5", (6, 22, "USER0002"))
    sign_on(walk, "ADMIN001")
    walk.enter("user delete", "", (20, 42, "04"))


MODELS = {2: (24, 80), 3: (32, 80), 4: (43, 80), 5: (27, 132)}


def cases():
    """Name, terminal type and size of tnz, TN3270E, colour, arguments of s3270, whole walk."""
    for extended in (True, False):
        layer = "TN3270E" if extended else "basic"
        for model, size in MODELS.items():
            for colour in (True, False):
                series = "3279" if colour else "3278"
                kind = f"IBM-{series}-{model}-E"
                # One whole walk of a layer; the other models see fewer screens.
                whole = model == 2 and colour
                yield f"{layer} {kind}", kind, size, extended, colour, ["-model", f"{series}-{model}-E"], whole
        dynamic = ["-model", "3279-2-E", "-oversize", "160x62"]
        yield f"{layer} IBM-DYNAMIC 62x160", "IBM-DYNAMIC", (62, 160), extended, True, dynamic, False


def main():
    port, whole_walk = int(sys.argv[1]), {"carddemo": carddemo, "supplied": orders}[sys.argv[2]]
    problems = Problems()
    logging.getLogger().addHandler(problems)
    failed = total = 0
    for name, kind, size, extended, colour, arguments, whole in cases():
        problems.said.clear()
        walk = Walk([])
        try:
            walk.terminals.append(TnzTerminal(port, kind, size, extended, colour, problems))
            walk.terminals.append(S3270Terminal(port, arguments, "" if extended else "N:"))
            (whole_walk if whole else supplied)(walk)
            print(f"{name}: {walk.screens} screens equal", flush=True)
        except Differs as difference:
            failed += 1
            print(f"{name}: FAILED after {walk.screens} screens\n{difference}", flush=True)
        finally:
            for terminal in walk.terminals:
                terminal.close()
        total += walk.screens
    print(f"{total} screens equal, {failed} walks failed")
    return 1 if failed else 0


sys.exit(main())
