"""COBOL programs that issue every command of the table in good and bad ways.

What: one command a case, made from crates/formats/commands/table and the files of resource kinds; the case is linked to, and a driver
writes its EIBFN, RESP, RESP2, abend code and what it returned to an extrapartition queue. Not here: what
the answers should be: they are compared with those of another executable.
"""

import pathlib
import re
import subprocess

CASES_PER_PROGRAM = 150
# What would end the task or the region, or wait for somebody who is not there.
LEFT_OUT = (
    "ABEND|RETURN|XCTL|PERFORM|DELAY|WAIT|WAITCICS|SUSPEND|HANDLE|IGNORE|FETCH|ALLOCATE|POST|START ATTACH|"
    "SET TASK|SET SYSTEM|SET UOW|SET DISPATCHER|CSD COPY"
).split("|")
# Names that exist in the region that runs the programs; other names are NONESUCH.
NAMES = {
    "FILE": "KSDS", "DATASET": "KSDS", "PROGRAM": "GOOD", "TRANSACTION": "GOOD", "TRANSID": "GOOD",
    "QUEUE": "GOODQ", "QNAME": "GOODQ", "TDQUEUE": "MEMQ", "TSQUEUE": "GOODQ", "TSMODEL": "SAFE",
    "TRANCLASS": "CLASS1", "PROFILE": "PROF1", "MAPSET": "GOODSET", "MAP": "GOODMAP", "LIBRARY": "DFHRPL",
    "JOURNALMODEL": "MODEL1", "JOURNALNAME": "PAYLOG", "COUNTER": "COUNT1", "CONTAINER": "CONT1",
    "CHANNEL": "CHAN1", "USERID": "ALICE", "RESOURCE": "RES1",
}
# What a case is given and what it answers: its COMMAREA.
CASE = """
           05 CASE-NUMBER PIC 9(4).
           05 CASE-FN PIC X(2).
           05 CASE-RC PIC S9(8) COMP.
           05 CASE-RC2 PIC S9(8) COMP.
           05 CASE-RSRCE PIC X(8).
           05 CASE-H PIC S9(4) COMP.
           05 CASE-F PIC S9(8) COMP.
           05 CASE-D PIC S9(18) COMP.
           05 CASE-V PIC S9(8) COMP.
           05 CASE-P PIC S9(15) COMP-3.
           05 CASE-B PIC X(20).
           05 CASE-C PIC X(20)."""
STORAGE = f"""
       01  B-AREA PIC X(300) VALUE '0001 of so many bytes'.
       01  C-AREA PIC X(300) VALUE SPACES.
       01  KEY-AREA PIC X(4) VALUE '0001'.
       01  H-AREA PIC S9(4) COMP VALUE 1.
       01  F-AREA PIC S9(8) COMP VALUE 1.
       01  D-AREA PIC S9(18) COMP VALUE 1.
       01  V-AREA PIC S9(8) COMP VALUE 1.
       01  P-AREA PIC S9(15) COMP-3 VALUE 1.
       01  PTR-AREA USAGE POINTER VALUE NULL.
       01  RC PIC S9(8) COMP.
       01  RC2 PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.{CASE}
"""
COPY_BACK = """
           MOVE EIBFN TO CASE-FN.
           MOVE EIBRESP TO CASE-RC.
           MOVE EIBRESP2 TO CASE-RC2.
           MOVE EIBRSRCE TO CASE-RSRCE.
           MOVE H-AREA TO CASE-H.
           MOVE F-AREA TO CASE-F.
           MOVE D-AREA TO CASE-D.
           MOVE V-AREA TO CASE-V.
           MOVE P-AREA TO CASE-P.
           MOVE B-AREA TO CASE-B.
           MOVE C-AREA TO CASE-C.
           GOBACK.
"""
DRIVER = f"""
       IDENTIFICATION DIVISION.
       PROGRAM-ID. DRIVER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-PROGRAM PIC X(8).
       01  WS-LAST PIC 9(4).
       01  WS-ABCODE PIC X(4).
       01  WS-HEX PIC X(16) VALUE '0123456789ABCDEF'.
       01  WS-BYTE PIC S9(4) COMP.
       01  FILLER REDEFINES WS-BYTE.
           05 FILLER PIC X.
           05 WS-LOW PIC X.
       01  WS-AT PIC S9(4) COMP.
       01  WS-HIGH PIC S9(4) COMP.
       01  WS-LINE.
           05 LINE-PROGRAM PIC X(8).
           05 LINE-CASE PIC 9(4).
           05 FILLER PIC X VALUE SPACE.
           05 LINE-FN PIC X(4).
           05 FILLER PIC X VALUE SPACE.
           05 LINE-RC PIC -(9)9.
           05 LINE-RC2 PIC -(9)9.
           05 FILLER PIC X VALUE SPACE.
           05 LINE-ABCODE PIC X(4).
           05 FILLER PIC X VALUE SPACE.
           05 LINE-RSRCE PIC X(8).
           05 LINE-H PIC -(5)9.
           05 LINE-F PIC -(10)9.
           05 LINE-D PIC -(18)9.
           05 LINE-V PIC -(10)9.
           05 LINE-P PIC -(15)9.
           05 FILLER PIC X VALUE SPACE.
           05 LINE-B PIC X(20).
           05 FILLER PIC X VALUE SPACE.
           05 LINE-C PIC X(20).
       01  CASE-AREA.{CASE}
       PROCEDURE DIVISION.
           MOVE SPACES TO WS-PROGRAM.
           STRING 'CMD' EIBTRNID (2:3) DELIMITED BY SIZE
              INTO WS-PROGRAM.
           MOVE 0 TO WS-LAST.
       NEXT-CASE.
           ADD 1 TO WS-LAST.
           INITIALIZE CASE-AREA.
           MOVE WS-LAST TO CASE-NUMBER.
           MOVE SPACES TO WS-ABCODE.
           EXEC CICS HANDLE ABEND LABEL(ABENDED) END-EXEC.
           EXEC CICS LINK PROGRAM(WS-PROGRAM) COMMAREA(CASE-AREA)
                END-EXEC.
           IF CASE-FN = HIGH-VALUES GO TO ENDED.
           PERFORM WRITE-LINE.
           GO TO NEXT-CASE.
       ABENDED.
           EXEC CICS ASSIGN ABCODE(WS-ABCODE) NOHANDLE END-EXEC.
           INITIALIZE CASE-AREA.
           PERFORM WRITE-LINE.
           GO TO NEXT-CASE.
       ENDED.
           MOVE SPACES TO WS-LINE.
           STRING 'END ' WS-PROGRAM DELIMITED BY SIZE INTO WS-LINE.
           EXEC CICS WRITEQ TD QUEUE('RSLT') FROM(WS-LINE) NOHANDLE
                END-EXEC.
           EXEC CICS RETURN END-EXEC.
       WRITE-LINE.
           INITIALIZE WS-LINE.
           MOVE WS-PROGRAM TO LINE-PROGRAM.
           MOVE WS-LAST TO LINE-CASE.
           MOVE 0 TO WS-BYTE.
           MOVE CASE-FN (1:1) TO WS-LOW.
           DIVIDE WS-BYTE BY 16 GIVING WS-HIGH REMAINDER WS-AT.
           MOVE WS-HEX (WS-HIGH + 1:1) TO LINE-FN (1:1).
           MOVE WS-HEX (WS-AT + 1:1) TO LINE-FN (2:1).
           MOVE CASE-FN (2:1) TO WS-LOW.
           DIVIDE WS-BYTE BY 16 GIVING WS-HIGH REMAINDER WS-AT.
           MOVE WS-HEX (WS-HIGH + 1:1) TO LINE-FN (3:1).
           MOVE WS-HEX (WS-AT + 1:1) TO LINE-FN (4:1).
           MOVE CASE-RC TO LINE-RC.
           MOVE CASE-RC2 TO LINE-RC2.
           MOVE WS-ABCODE TO LINE-ABCODE.
           MOVE CASE-RSRCE TO LINE-RSRCE.
           MOVE CASE-H TO LINE-H.
           MOVE CASE-F TO LINE-F.
           MOVE CASE-D TO LINE-D.
           MOVE CASE-V TO LINE-V.
           MOVE CASE-P TO LINE-P.
           MOVE CASE-B TO LINE-B.
           MOVE CASE-C TO LINE-C.
           INSPECT WS-LINE REPLACING ALL LOW-VALUE BY '.'
              ALL HIGH-VALUE BY '~' ALL X'0A' BY '.' ALL X'0D' BY '.'.
           EXEC CICS WRITEQ TD QUEUE('RSLT') FROM(WS-LINE) NOHANDLE
                END-EXEC.
"""
GOOD = """
       IDENTIFICATION DIVISION.
       PROGRAM-ID. GOOD.
       PROCEDURE DIVISION.
           EXEC CICS RETURN END-EXEC.
"""
DECK = """DEFINE TRANCLASS(CLASS1) GROUP(CMDS) MAXACTIVE(5)
DEFINE PROFILE(PROF1) GROUP(CMDS)
DEFINE TRANSACTION(GOOD) GROUP(CMDS) PROGRAM(GOOD) TRANCLASS(CLASS1)
DEFINE PROGRAM(GOOD) GROUP(CMDS)
DEFINE TSMODEL(SAFE) GROUP(CMDS) PREFIX(SAFE) RECOVERY(YES)
DEFINE TDQUEUE(MEMQ) GROUP(CMDS) TYPE(INTRA)
DEFINE TDQUEUE(RSLT) GROUP(CMDS) TYPE(EXTRA)
       DDNAME(RESULTS) TYPEFILE(OUTPUT)
DEFINE JOURNALMODEL(MODEL1) GROUP(CMDS) JOURNALNAME(PAYLOG)
DEFINE FILE(KSDS) GROUP(CMDS) DSNAME(CMDS.KSDS) RECOVERY(BACKOUTONLY)
       READ(YES) UPDATE(YES) ADD(YES) BROWSE(YES) DELETE(YES)
"""


def options(text):
    """`KEYWORD|SYNONYM(kind:LENGTHS)?!~status` of a table line."""
    pattern = r"([A-Z0-9-]+)(?:\|[A-Z0-9-]+)*(\([^)]*\))?(\?)?(!)?(?:~(\w+))?"
    for word in text.split():
        found = re.fullmatch(pattern, word)
        if found:
            keyword, kind, optional, required, status = found.groups()
            yield {
                "keyword": keyword,
                "kind": (kind or "()")[1:-1].split(":")[0],
                "optional": bool(optional),
                "required": bool(required),
                "status": status,
            }


def of_kinds(folder):
    """The commands that follow from the files of resource kinds, in the words of the table."""
    run = ["cargo", "run", "-q", "-p", "transom-kinds", "--example", "paragraphs"]
    return subprocess.run(run, cwd=folder, check=True, capture_output=True, text=True).stdout


def table(folder):
    """The commands: words, needs, options, status."""
    commands = []
    paths = [path for path in sorted(pathlib.Path(folder).glob("*.txt")) if path.stem != "cvda"]
    for text in [path.read_text() for path in paths] + [of_kinds(folder)]:
        for line in text.splitlines():
            words = line.split()
            if not words or line.startswith("#"):
                continue
            if words[0] == "command":
                commands.append({"words": words[1:], "needs": [], "options": [], "status": "invreq"})
            elif line.startswith(" ") and commands:
                if words[0] == "needs":
                    commands[-1]["needs"].append(words[1:])
                elif words[0] == "status":
                    commands[-1]["status"] = words[1]
                elif not words[0].islower() and words[0] not in ("name",):
                    commands[-1]["options"] += options(line)
    return commands


def argument(option, name):
    """What stands in the parentheses of an option, with them."""
    kind = option["kind"].lstrip("<>")
    if not kind:
        return ""
    if kind == "label":
        return None
    if option["keyword"] in ("RIDFLD", "KEY"):
        return "(KEY-AREA)"
    if kind in ("ptr", "ptrv"):
        return "(PTR-AREA)"
    if kind == "cvda":
        return "(V-AREA)"
    if kind[0] == "n":
        if ">" in option["kind"]:
            return "(C-AREA)"
        width = int(kind[1:] or 8)
        return f"('{name(option['keyword'])[:width]}')"
    areas = {"h": "H-AREA", "f": "F-AREA", "d": "D-AREA", "b": "B-AREA", "c": "C-AREA", "p": "P-AREA"}
    if kind[0] == "c" and kind[1:].isdigit():
        return f"(C-AREA (1:{kind[1:]}))"
    return f"({areas[kind[0]]})"


def good(keyword):
    return NAMES.get(keyword, "NONESUCH")


def bad(_keyword):
    return "NONESUCH"


def text_of(command, chosen, name):
    """The command with these options, or None where an argument cannot be made up."""
    words = list(command["words"])
    lines = []
    used = set()
    known = {option["keyword"]: option for option in command["options"]}
    for at, word in enumerate(words):
        if word in known and word not in used:
            shown = argument(known[word], name)
            if shown is None:
                return None
            words[at] = word + shown
            used.add(word)
    for option in chosen:
        if option["keyword"] in used:
            continue
        used.add(option["keyword"])
        shown = argument(option, name)
        if shown is None:
            return None
        lines.append(option["keyword"] + shown)
    return [" ".join(words)] + lines


def cases(commands):
    """Each case: title, lines of the command, whether RESP is asked for."""
    commands = sorted(commands, key=lambda c: (c["words"][0] in ("SET", "DISCARD", "CSD"), c["words"]))
    for command in commands:
        title = " ".join(command["words"])
        if any(title == out or title.startswith(out + " ") for out in LEFT_OUT):
            continue
        by_name = {option["keyword"]: option for option in command["options"]}
        needed = [o for o in command["options"] if o["required"]]
        needed += [by_name[n[0]] for n in command["needs"] if n[0] in by_name]
        base = text_of(command, needed, good)
        if base is None:
            continue
        yield title, base, True
        yield title + " without RESP", base, False
        yield title + " of nothing", text_of(command, needed, bad), True
        for option in command["options"]:
            if option["required"] or option["status"] == "invreq" or command["status"] == "invreq":
                continue
            text = text_of(command, needed + [option], good)
            # The translator takes this word of the table for the end of the options.
            if text and text != base and option["keyword"] != "CICS":
                yield f"{title} with {option['keyword']}", text, True


def write(folder, table_folder):
    """Writes a system directory's programs and deck; answers the titles of the cases of each program."""
    folder = pathlib.Path(folder)
    (folder / "cobol").mkdir(parents=True, exist_ok=True)
    (folder / "csd").mkdir(exist_ok=True)
    (folder / "cobol/DRIVER.cbl").write_text(DRIVER[1:])
    (folder / "cobol/GOOD.cbl").write_text(GOOD[1:])
    every = list(cases(table(table_folder)))
    deck, titles = DECK, {}
    for first in range(0, len(every), CASES_PER_PROGRAM):
        number = first // CASES_PER_PROGRAM
        name = f"CMD{number:03}"
        part = every[first : first + CASES_PER_PROGRAM]
        titles[name] = [title for title, _, _ in part]
        text = f"       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n"
        text += "       DATA DIVISION.\n       WORKING-STORAGE SECTION." + STORAGE
        text += "       PROCEDURE DIVISION.\n           EVALUATE CASE-NUMBER\n"
        for at, (_, lines, responds) in enumerate(part):
            text += f"           WHEN {at + 1}\n             EXEC CICS {lines[0]}\n"
            text += "".join(f"               {line}\n" for line in lines[1:])
            text += "               RESP(RC) RESP2(RC2)\n" if responds else ""
            text += "             END-EXEC\n"
        text += "           WHEN OTHER\n             MOVE HIGH-VALUES TO CASE-FN\n             GOBACK\n"
        text += "           END-EVALUATE." + COPY_BACK
        (folder / f"cobol/{name}.cbl").write_text(text)
        deck += f"DEFINE TRANSACTION(C{number:03}) GROUP(CMDS) PROGRAM(DRIVER)\n"
        deck += f"DEFINE PROGRAM({name}) GROUP(CMDS)\n"
    deck += "DEFINE PROGRAM(DRIVER) GROUP(CMDS)\nADD GROUP(CMDS) LIST(CMDLIST)\n"
    (folder / "csd/commands.csd").write_text(deck)
    return titles
