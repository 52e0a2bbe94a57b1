//! Fields of a performance record, under the names, groups and numbers of the public reference of
//! the CICS monitoring facility; only fields that something is behind.
//!
//! The reference page is made from this table.

use crate::kind::Kind::{Clock, Count, LongCount, Packed, Stamp, Text};
use crate::kind::{Field, FieldId, Kind, fields};

fields! {
    TRAN: DFHTASK 1 "TRAN" Text(4), "Transaction.";
    TTYPE: DFHTASK 4 "TTYPE" Text(4), "How it was started: TO terminal, S and SD START, QD trigger level, U other.";
    USRDISPT: DFHTASK 7 "USRDISPT" Clock, "Time it was dispatched; periods: dispatches.";
    USRCPUT: DFHTASK 8 "USRCPUT" Clock, "Processor time of its worker, with taking it up and handing over its end.";
    SUSPTIME: DFHTASK 14 "SUSPTIME" Clock, "Time it was suspended, from its attach on.";
    TRANNUM: DFHTASK 31 "TRANNUM" Packed, "Task number.";
    ICPUINCT: DFHTASK 59 "ICPUINCT" Count, "START requests.";
    ICTOTCT: DFHTASK 66 "ICTOTCT" Count, "START, CANCEL, DELAY and RETRIEVE requests.";
    DISPWTT: DFHTASK 102 "DISPWTT" Clock, "Of the suspend time: waiting for its turn again, after what it waited for had come.";
    TRANPRI: DFHTASK 109 "TRANPRI" Count, "Priority.";
    DSPDELAY: DFHTASK 125 "DSPDELAY" Clock, "Of the suspend time: until it was dispatched first, limits of class and MXT among it.";
    ENQDELAY: DFHTASK 129 "ENQDELAY" Clock, "Of the suspend time: for ENQ.";
    FCTYNAME: DFHTASK 163 "FCTYNAME" Text(4), "Name of the terminal or queue it was started by.";
    TCLSNAME: DFHTASK 166 "TCLSNAME" Text(8), "Transaction class.";
    WTEXWAIT: DFHTASK 181 "WTEXWAIT" Clock, "Of the suspend time: WAIT EXTERNAL.";
    WTCEWAIT: DFHTASK 182 "WTCEWAIT" Clock, "Of the suspend time: WAIT EVENT and WAITCICS.";
    ICDELAY: DFHTASK 183 "ICDELAY" Clock, "Of the suspend time: DELAY and POST.";
    GVUPWAIT: DFHTASK 184 "GVUPWAIT" Clock, "Of the suspend time: it gave up its turn.";
    CHMODECT: DFHTASK 248 "CHMODECT" Count, "Changes between QUASIRENT and THREADSAFE programs.";
    QRDISPT: DFHTASK 255 "QRDISPT" Clock, "Of the dispatch time: in QUASIRENT programs.";
    QRCPUT: DFHTASK 256 "QRCPUT" Clock, "Of the processor time: in QUASIRENT programs.";
    L8CPUT: DFHTASK 259 "L8CPUT" Clock, "Of the processor time: in THREADSAFE programs.";
    KY8DISPT: DFHTASK 262 "KY8DISPT" Clock, "Of the dispatch time: in THREADSAFE programs.";
    KY8CPUT: DFHTASK 263 "KY8CPUT" Clock, "Of the processor time: in THREADSAFE programs.";

    START: DFHCICS 5 "START" Stamp, "When it was attached.";
    STOP: DFHCICS 6 "STOP" Stamp, "When it ended; less START the response time.";
    USERID: DFHCICS 89 "USERID" Text(8), "User.";
    RTYPE: DFHCICS 112 "RTYPE" Text(4), "Why the record was written: T, end of the task.";
    PERRECNT: DFHCICS 131 "PERRECNT" Count, "Records of the task.";
    OAPPLID: DFHCICS 360 "OAPPLID" Text(8), "APPLID of the region where its work began.";
    OSTART: DFHCICS 361 "OSTART" Stamp, "When the task was attached at which its work began.";
    OTRANNUM: DFHCICS 362 "OTRANNUM" Packed, "Number of that task.";
    OTRAN: DFHCICS 363 "OTRAN" Text(4), "Transaction of that task.";
    OUSERID: DFHCICS 364 "OUSERID" Text(8), "User of that task.";
    OUSERCOR: DFHCICS 365 "OUSERCOR" Text(64), "USERCORRDATA of that task.";
    OCLIPORT: DFHCICS 369 "OCLIPORT" Count, "Port of the client with whose request the work began.";
    OFCTYNME: DFHCICS 371 "OFCTYNME" Text(8), "Terminal or queue of that task.";
    OCLIPADR: DFHCICS 372 "OCLIPADR" Text(40), "Address of the client with whose request the work began.";
    PHTRANNO: DFHCICS 376 "PHTRANNO" Packed, "Number of the task that started this one.";
    PHTRAN: DFHCICS 377 "PHTRAN" Text(4), "Transaction of the task that started this one.";
    PHCOUNT: DFHCICS 378 "PHCOUNT" Count, "Tasks between the origin and this one.";

    PCLINKCT: DFHPROG 55 "PCLINKCT" Count, "LINK requests, with that to the first program.";
    PCXCTLCT: DFHPROG 56 "PCXCTLCT" Count, "XCTL requests.";
    PCLOADCT: DFHPROG 57 "PCLOADCT" Count, "LOAD requests.";
    PGMNAME: DFHPROG 71 "PGMNAME" Text(8), "First program.";
    ABCODEO: DFHPROG 113 "ABCODEO" Text(4), "First abend code.";
    ABCODEC: DFHPROG 114 "ABCODEC" Text(4), "Last abend code.";

    FCGETCT: DFHFILE 36 "FCGETCT" Count, "READ requests.";
    FCPUTCT: DFHFILE 37 "FCPUTCT" Count, "REWRITE requests.";
    FCBRWCT: DFHFILE 38 "FCBRWCT" Count, "READNEXT and READPREV requests.";
    FCADDCT: DFHFILE 39 "FCADDCT" Count, "WRITE requests.";
    FCDELCT: DFHFILE 40 "FCDELCT" Count, "DELETE requests.";
    FCIOWTT: DFHFILE 63 "FCIOWTT" Clock, "Of the suspend time: for answers of file control, record locks among them.";
    FCTOTCT: DFHFILE 93 "FCTOTCT" Count, "File control requests.";

    SCUGETCT: DFHSTOR 105 "SCUGETCT" Count, "GETMAIN requests.";

    TSIOWTT: DFHTEMP 11 "TSIOWTT" Clock, "Of the suspend time: for answers of temporary storage.";
    TSGETCT: DFHTEMP 44 "TSGETCT" Count, "READQ TS requests.";
    TSPUTACT: DFHTEMP 46 "TSPUTACT" Count, "WRITEQ TS requests to auxiliary storage.";
    TSPUTMCT: DFHTEMP 47 "TSPUTMCT" Count, "WRITEQ TS requests to main storage.";
    TSTOTCT: DFHTEMP 92 "TSTOTCT" Count, "Temporary storage requests.";

    TDGETCT: DFHDEST 41 "TDGETCT" Count, "READQ TD requests.";
    TDPUTCT: DFHDEST 42 "TDPUTCT" Count, "WRITEQ TD requests.";
    TDPURCT: DFHDEST 43 "TDPURCT" Count, "DELETEQ TD requests.";
    TDTOTCT: DFHDEST 91 "TDTOTCT" Count, "Transient data requests.";
    TDIOWTT: DFHDEST 101 "TDIOWTT" Clock, "Of the suspend time: for answers of transient data.";

    TERM: DFHTERM 2 "TERM" Text(4), "Terminal.";
    TCIOWTT: DFHTERM 9 "TCIOWTT" Clock, "Of the suspend time: for the user's input, and for output to go out.";
    TCMSGIN1: DFHTERM 34 "TCMSGIN1" Count, "Records of the terminal, that which began the task among them.";
    TCMSGOU1: DFHTERM 35 "TCMSGOU1" Count, "Records to the terminal.";
    TCCHRIN1: DFHTERM 83 "TCCHRIN1" Count, "Their bytes, from the terminal.";
    TCCHROU1: DFHTERM 84 "TCCHROU1" Count, "Their bytes, to the terminal.";
    LUNAME: DFHTERM 111 "LUNAME" Text(8), "LU name of the terminal.";

    BMSMAPCT: DFHMAPP 50 "BMSMAPCT" Count, "RECEIVE MAP requests that waited for no input.";
    BMSINCT: DFHMAPP 51 "BMSINCT" Count, "RECEIVE MAP requests that waited for input.";
    BMSOUTCT: DFHMAPP 52 "BMSOUTCT" Count, "SEND MAP requests.";
    BMSTOTCT: DFHMAPP 90 "BMSTOTCT" Count, "BMS requests.";

    JCIOWTT: DFHJOUR 10 "JCIOWTT" Clock, "Of the suspend time: for journals, and for the log at the end of a unit of work.";
    JNLWRTCT: DFHJOUR 58 "JNLWRTCT" Count, "WRITE JOURNALNAME and WRITE JOURNALNUM requests.";

    SPSYNCCT: DFHSYNC 60 "SPSYNCCT" Count, "SYNCPOINT requests.";

    PGTOTCCT: DFHCHNL 321 "PGTOTCCT" Count, "Container requests.";
    PGBRWCCT: DFHCHNL 322 "PGBRWCCT" Count, "Browse requests for containers.";
    PGGETCCT: DFHCHNL 323 "PGGETCCT" Count, "GET CONTAINER requests.";
    PGPUTCCT: DFHCHNL 324 "PGPUTCCT" Count, "PUT CONTAINER requests.";
    PGMOVCCT: DFHCHNL 325 "PGMOVCCT" Count, "MOVE CONTAINER requests.";

    DB2REQCT: DFHDATA 180 "DB2REQCT" Count, "EXEC SQL requests.";
    DB2WAIT: DFHDATA 189 "DB2WAIT" Clock, "Of the suspend time: for answers of the database.";

    PORTNUM: DFHSOCK 246 "PORTNUM" Count, "Port of the door that the request came to.";
    CLIPADDR: DFHSOCK 318 "CLIPADDR" Text(40), "Address of the client whose request it is.";

    TRANFLAG: DFHTASK 164 "TRANFLAG" LongCount, "Flags. Byte 0, what it was started by: X'80' nothing, X'40' a terminal, X'10' a queue. Byte 1: X'20' a LINK from outside.";
}
