//! EXEC CICS conditions: number, name and the abend code when nobody handles them.
//!
//! Source: the public RESP values table and "response codes of EXEC CICS commands" of the CICS TS
//! documentation. Conditions without an entry in column three leave the task running.

use crate::AbendCode;
use std::fmt;

/// A condition number as EIBRESP carries it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Resp(pub u16);

impl Resp {
    #[allow(missing_docs)]
    pub const NORMAL: Self = Self(0);
    #[allow(missing_docs)]
    pub const ERROR: Self = Self(1);
    #[allow(missing_docs)]
    pub const RDATT: Self = Self(2);
    #[allow(missing_docs)]
    pub const WRBRK: Self = Self(3);
    #[allow(missing_docs)]
    pub const EOF: Self = Self(4);
    #[allow(missing_docs)]
    pub const EODS: Self = Self(5);
    #[allow(missing_docs)]
    pub const EOC: Self = Self(6);
    #[allow(missing_docs)]
    pub const INBFMH: Self = Self(7);
    #[allow(missing_docs)]
    pub const ENDINPT: Self = Self(8);
    #[allow(missing_docs)]
    pub const NONVAL: Self = Self(9);
    #[allow(missing_docs)]
    pub const NOSTART: Self = Self(10);
    #[allow(missing_docs)]
    pub const TERMIDERR: Self = Self(11);
    #[allow(missing_docs)]
    pub const FILENOTFOUND: Self = Self(12);
    #[allow(missing_docs)]
    pub const NOTFND: Self = Self(13);
    #[allow(missing_docs)]
    pub const DUPREC: Self = Self(14);
    #[allow(missing_docs)]
    pub const DUPKEY: Self = Self(15);
    #[allow(missing_docs)]
    pub const INVREQ: Self = Self(16);
    #[allow(missing_docs)]
    pub const IOERR: Self = Self(17);
    #[allow(missing_docs)]
    pub const NOSPACE: Self = Self(18);
    #[allow(missing_docs)]
    pub const NOTOPEN: Self = Self(19);
    #[allow(missing_docs)]
    pub const ENDFILE: Self = Self(20);
    #[allow(missing_docs)]
    pub const ILLOGIC: Self = Self(21);
    #[allow(missing_docs)]
    pub const LENGERR: Self = Self(22);
    #[allow(missing_docs)]
    pub const QZERO: Self = Self(23);
    #[allow(missing_docs)]
    pub const SIGNAL: Self = Self(24);
    #[allow(missing_docs)]
    pub const QBUSY: Self = Self(25);
    #[allow(missing_docs)]
    pub const ITEMERR: Self = Self(26);
    #[allow(missing_docs)]
    pub const PGMIDERR: Self = Self(27);
    #[allow(missing_docs)]
    pub const TRANSIDERR: Self = Self(28);
    #[allow(missing_docs)]
    pub const ENDDATA: Self = Self(29);
    #[allow(missing_docs)]
    pub const INVTSREQ: Self = Self(30);
    #[allow(missing_docs)]
    pub const EXPIRED: Self = Self(31);
    #[allow(missing_docs)]
    pub const RETPAGE: Self = Self(32);
    #[allow(missing_docs)]
    pub const RTEFAIL: Self = Self(33);
    #[allow(missing_docs)]
    pub const RTESOME: Self = Self(34);
    #[allow(missing_docs)]
    pub const TSIOERR: Self = Self(35);
    #[allow(missing_docs)]
    pub const MAPFAIL: Self = Self(36);
    #[allow(missing_docs)]
    pub const INVERRTERM: Self = Self(37);
    #[allow(missing_docs)]
    pub const INVMPSZ: Self = Self(38);
    #[allow(missing_docs)]
    pub const IGREQID: Self = Self(39);
    #[allow(missing_docs)]
    pub const OVERFLOW: Self = Self(40);
    #[allow(missing_docs)]
    pub const INVLDC: Self = Self(41);
    #[allow(missing_docs)]
    pub const NOSTG: Self = Self(42);
    #[allow(missing_docs)]
    pub const JIDERR: Self = Self(43);
    #[allow(missing_docs)]
    pub const QIDERR: Self = Self(44);
    #[allow(missing_docs)]
    pub const NOJBUFSP: Self = Self(45);
    #[allow(missing_docs)]
    pub const DSSTAT: Self = Self(46);
    #[allow(missing_docs)]
    pub const SELNERR: Self = Self(47);
    #[allow(missing_docs)]
    pub const FUNCERR: Self = Self(48);
    #[allow(missing_docs)]
    pub const UNEXPIN: Self = Self(49);
    #[allow(missing_docs)]
    pub const NOPASSBKRD: Self = Self(50);
    #[allow(missing_docs)]
    pub const NOPASSBKWR: Self = Self(51);
    #[allow(missing_docs)]
    pub const SEGIDERR: Self = Self(52);
    #[allow(missing_docs)]
    pub const SYSIDERR: Self = Self(53);
    #[allow(missing_docs)]
    pub const ISCINVREQ: Self = Self(54);
    #[allow(missing_docs)]
    pub const ENQBUSY: Self = Self(55);
    #[allow(missing_docs)]
    pub const ENVDEFERR: Self = Self(56);
    #[allow(missing_docs)]
    pub const IGREQCD: Self = Self(57);
    #[allow(missing_docs)]
    pub const SESSIONERR: Self = Self(58);
    #[allow(missing_docs)]
    pub const SYSBUSY: Self = Self(59);
    #[allow(missing_docs)]
    pub const SESSBUSY: Self = Self(60);
    #[allow(missing_docs)]
    pub const NOTALLOC: Self = Self(61);
    #[allow(missing_docs)]
    pub const CBIDERR: Self = Self(62);
    #[allow(missing_docs)]
    pub const INVEXITREQ: Self = Self(63);
    #[allow(missing_docs)]
    pub const INVPARTNSET: Self = Self(64);
    #[allow(missing_docs)]
    pub const INVPARTN: Self = Self(65);
    #[allow(missing_docs)]
    pub const PARTNFAIL: Self = Self(66);
    #[allow(missing_docs)]
    pub const USERIDERR: Self = Self(69);
    #[allow(missing_docs)]
    pub const NOTAUTH: Self = Self(70);
    #[allow(missing_docs)]
    pub const VOLIDERR: Self = Self(71);
    #[allow(missing_docs)]
    pub const SUPPRESSED: Self = Self(72);
    #[allow(missing_docs)]
    pub const RESIDERR: Self = Self(75);
    #[allow(missing_docs)]
    pub const NOSPOOL: Self = Self(80);
    #[allow(missing_docs)]
    pub const TERMERR: Self = Self(81);
    #[allow(missing_docs)]
    pub const ROLLEDBACK: Self = Self(82);
    #[allow(missing_docs)]
    pub const END: Self = Self(83);
    #[allow(missing_docs)]
    pub const DISABLED: Self = Self(84);
    #[allow(missing_docs)]
    pub const ALLOCERR: Self = Self(85);
    #[allow(missing_docs)]
    pub const STRELERR: Self = Self(86);
    #[allow(missing_docs)]
    pub const OPENERR: Self = Self(87);
    #[allow(missing_docs)]
    pub const SPOLBUSY: Self = Self(88);
    #[allow(missing_docs)]
    pub const SPOLERR: Self = Self(89);
    #[allow(missing_docs)]
    pub const NODEIDERR: Self = Self(90);
    #[allow(missing_docs)]
    pub const TASKIDERR: Self = Self(91);
    #[allow(missing_docs)]
    pub const TCIDERR: Self = Self(92);
    #[allow(missing_docs)]
    pub const DSNNOTFOUND: Self = Self(93);
    #[allow(missing_docs)]
    pub const LOADING: Self = Self(94);
    #[allow(missing_docs)]
    pub const MODELIDERR: Self = Self(95);
    #[allow(missing_docs)]
    pub const OUTDESCRERR: Self = Self(96);
    #[allow(missing_docs)]
    pub const PARTNERIDERR: Self = Self(97);
    #[allow(missing_docs)]
    pub const PROFILEIDERR: Self = Self(98);
    #[allow(missing_docs)]
    pub const NETNAMEIDERR: Self = Self(99);
    #[allow(missing_docs)]
    pub const LOCKED: Self = Self(100);
    #[allow(missing_docs)]
    pub const RECORDBUSY: Self = Self(101);
    #[allow(missing_docs)]
    pub const UOWNOTFOUND: Self = Self(102);
    #[allow(missing_docs)]
    pub const UOWLNOTFOUND: Self = Self(103);
    #[allow(missing_docs)]
    pub const LINKABEND: Self = Self(104);
    #[allow(missing_docs)]
    pub const CHANGED: Self = Self(105);
    #[allow(missing_docs)]
    pub const PROCESSBUSY: Self = Self(106);
    #[allow(missing_docs)]
    pub const ACTIVITYBUSY: Self = Self(107);
    #[allow(missing_docs)]
    pub const PROCESSERR: Self = Self(108);
    #[allow(missing_docs)]
    pub const ACTIVITYERR: Self = Self(109);
    #[allow(missing_docs)]
    pub const CONTAINERERR: Self = Self(110);
    #[allow(missing_docs)]
    pub const EVENTERR: Self = Self(111);
    #[allow(missing_docs)]
    pub const TOKENERR: Self = Self(112);
    #[allow(missing_docs)]
    pub const NOTFINISHED: Self = Self(113);
    #[allow(missing_docs)]
    pub const POOLERR: Self = Self(114);
    #[allow(missing_docs)]
    pub const TIMERERR: Self = Self(115);
    #[allow(missing_docs)]
    pub const SYMBOLERR: Self = Self(116);
    #[allow(missing_docs)]
    pub const TEMPLATERR: Self = Self(117);
    #[allow(missing_docs)]
    pub const NOTSUPERUSER: Self = Self(118);
    #[allow(missing_docs)]
    pub const CSDERR: Self = Self(119);
    #[allow(missing_docs)]
    pub const DUPRES: Self = Self(120);
    #[allow(missing_docs)]
    pub const RESUNAVAIL: Self = Self(121);
    #[allow(missing_docs)]
    pub const CHANNELERR: Self = Self(122);
    #[allow(missing_docs)]
    pub const CCSIDERR: Self = Self(123);
    #[allow(missing_docs)]
    pub const TIMEDOUT: Self = Self(124);
    #[allow(missing_docs)]
    pub const CODEPAGEERR: Self = Self(125);
    #[allow(missing_docs)]
    pub const INCOMPLETE: Self = Self(126);
    #[allow(missing_docs)]
    pub const APPNOTFOUND: Self = Self(127);
    #[allow(missing_docs)]
    pub const BUSY: Self = Self(128);

    /// The condition's name, or `None` for a number that is not one.
    pub fn name(self) -> Option<&'static str> {
        TABLE.iter().find(|row| row.0 == self.0).map(|row| row.1)
    }

    /// The condition of this name (upper case).
    pub fn by_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == name).map(|row| Self(row.0))
    }

    /// The abend code when the condition is raised and neither RESP, NOHANDLE, IGNORE nor HANDLE
    /// takes it. `None`: the command just ends.
    pub fn default_abend(self) -> Option<AbendCode> {
        let code = TABLE.iter().find(|row| row.0 == self.0)?.2;
        (!code.is_empty()).then(|| AbendCode::from_field(code.as_bytes()))
    }

    /// All conditions in number order.
    pub fn all() -> impl Iterator<Item = (Self, &'static str)> {
        TABLE.iter().map(|row| (Self(row.0), row.1))
    }
}

impl fmt::Display for Resp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.pad(name),
            None => write!(f, "RESP({})", self.0),
        }
    }
}

impl fmt::Debug for Resp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Resp({} {self})", self.0)
    }
}

#[rustfmt::skip]
const TABLE: &[(u16, &str, &str)] = &[
    (0, "NORMAL", ""),
    (1, "ERROR", "AEIA"),
    (2, "RDATT", ""),
    (3, "WRBRK", ""),
    (4, "EOF", "AEID"),
    (5, "EODS", "AEIE"),
    (6, "EOC", ""),
    (7, "INBFMH", "AEIG"),
    (8, "ENDINPT", "AEIH"),
    (9, "NONVAL", "AEII"),
    (10, "NOSTART", "AEIJ"),
    (11, "TERMIDERR", "AEIK"),
    (12, "FILENOTFOUND", "AEIL"),
    (13, "NOTFND", "AEIM"),
    (14, "DUPREC", "AEIN"),
    (15, "DUPKEY", "AEIO"),
    (16, "INVREQ", "AEIP"),
    (17, "IOERR", "AEIQ"),
    (18, "NOSPACE", "AEIR"),
    (19, "NOTOPEN", "AEIS"),
    (20, "ENDFILE", "AEIT"),
    (21, "ILLOGIC", "AEIU"),
    (22, "LENGERR", "AEIV"),
    (23, "QZERO", "AEIW"),
    (24, "SIGNAL", ""),
    (25, "QBUSY", ""),
    (26, "ITEMERR", "AEIZ"),
    (27, "PGMIDERR", "AEI0"),
    (28, "TRANSIDERR", "AEI1"),
    (29, "ENDDATA", "AEI2"),
    (30, "INVTSREQ", "AEI3"),
    (31, "EXPIRED", ""),
    (32, "RETPAGE", ""),
    (33, "RTEFAIL", "AEI6"),
    (34, "RTESOME", "AEI7"),
    (35, "TSIOERR", "AEI8"),
    (36, "MAPFAIL", "AEI9"),
    (37, "INVERRTERM", "AEYA"),
    (38, "INVMPSZ", "AEYB"),
    (39, "IGREQID", "AEYC"),
    (40, "OVERFLOW", ""),
    (41, "INVLDC", "AEYE"),
    (42, "NOSTG", ""),
    (43, "JIDERR", "AEYG"),
    (44, "QIDERR", "AEYH"),
    (45, "NOJBUFSP", ""),
    (46, "DSSTAT", "AEYJ"),
    (47, "SELNERR", "AEYK"),
    (48, "FUNCERR", "AEYL"),
    (49, "UNEXPIN", "AEYM"),
    (50, "NOPASSBKRD", "AEYN"),
    (51, "NOPASSBKWR", "AEYO"),
    (52, "SEGIDERR", "AEYP"),
    (53, "SYSIDERR", "AEYQ"),
    (54, "ISCINVREQ", "AEYR"),
    (55, "ENQBUSY", ""),
    (56, "ENVDEFERR", "AEYT"),
    (57, "IGREQCD", "AEYU"),
    (58, "SESSIONERR", "AEYV"),
    (59, "SYSBUSY", ""),
    (60, "SESSBUSY", ""),
    (61, "NOTALLOC", "AEYY"),
    (62, "CBIDERR", "AEYZ"),
    (63, "INVEXITREQ", "AEY0"),
    (64, "INVPARTNSET", "AEY1"),
    (65, "INVPARTN", "AEY2"),
    (66, "PARTNFAIL", "AEY3"),
    (69, "USERIDERR", "AEYX"),
    (70, "NOTAUTH", "AEY7"),
    (71, "VOLIDERR", "AEXV"),
    (72, "SUPPRESSED", ""),
    (75, "RESIDERR", ""),
    (80, "NOSPOOL", ""),
    (81, "TERMERR", ""),
    (82, "ROLLEDBACK", "AEXJ"),
    (83, "END", "AEXK"),
    (84, "DISABLED", "AEXL"),
    (85, "ALLOCERR", ""),
    (86, "STRELERR", ""),
    (87, "OPENERR", ""),
    (88, "SPOLBUSY", ""),
    (89, "SPOLERR", ""),
    (90, "NODEIDERR", ""),
    (91, "TASKIDERR", "AEXX"),
    (92, "TCIDERR", "AEX0"),
    (93, "DSNNOTFOUND", "AEX1"),
    (94, "LOADING", "AEX2"),
    (95, "MODELIDERR", "AEX3"),
    (96, "OUTDESCRERR", "AEX4"),
    (97, "PARTNERIDERR", "AEX5"),
    (98, "PROFILEIDERR", "AEX6"),
    (99, "NETNAMEIDERR", "AEX7"),
    (100, "LOCKED", "AEX8"),
    (101, "RECORDBUSY", "AEX9"),
    (102, "UOWNOTFOUND", ""),
    (103, "UOWLNOTFOUND", ""),
    (104, "LINKABEND", ""),
    (105, "CHANGED", ""),
    (106, "PROCESSBUSY", ""),
    (107, "ACTIVITYBUSY", ""),
    (108, "PROCESSERR", ""),
    (109, "ACTIVITYERR", ""),
    (110, "CONTAINERERR", "AEZJ"),
    (111, "EVENTERR", ""),
    (112, "TOKENERR", ""),
    (113, "NOTFINISHED", ""),
    (114, "POOLERR", ""),
    (115, "TIMERERR", ""),
    (116, "SYMBOLERR", ""),
    (117, "TEMPLATERR", ""),
    (118, "NOTSUPERUSER", ""),
    (119, "CSDERR", "AEZS"),
    (120, "DUPRES", "AEZT"),
    (121, "RESUNAVAIL", "AEZU"),
    (122, "CHANNELERR", "AEZV"),
    (123, "CCSIDERR", "AEZW"),
    (124, "TIMEDOUT", "AEZX"),
    (125, "CODEPAGEERR", "AEZY"),
    (126, "INCOMPLETE", "AEZZ"),
    (127, "APPNOTFOUND", "AEZ1"),
    (128, "BUSY", "AEZ2"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_abends() {
        assert_eq!(Resp::PGMIDERR.name(), Some("PGMIDERR"));
        assert_eq!(Resp::by_name("MAPFAIL"), Some(Resp(36)));
        assert_eq!(Resp::INVREQ.default_abend(), Some(AbendCode::from_field(b"AEIP")));
        assert_eq!(Resp::NOSTG.default_abend(), None);
        assert!(Resp::all().zip(Resp::all().skip(1)).all(|(a, b)| a.0 < b.0));
    }
}
