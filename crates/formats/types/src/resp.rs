//! EXEC CICS conditions: number, name and the abend code when nobody handles them.
//!
//! Source: the public RESP values table and "response codes of EXEC CICS commands" of the CICS TS
//! documentation. Conditions without an entry in column three leave the task running.

use crate::AbendCode;
use std::fmt;

/// A condition number as EIBRESP carries it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Resp(pub u16);

#[allow(missing_docs)]
impl Resp {
    pub const NORMAL: Self = Self(0);
    pub const ERROR: Self = Self(1);
    pub const RDATT: Self = Self(2);
    pub const WRBRK: Self = Self(3);
    pub const EOF: Self = Self(4);
    pub const EODS: Self = Self(5);
    pub const EOC: Self = Self(6);
    pub const INBFMH: Self = Self(7);
    pub const ENDINPT: Self = Self(8);
    pub const NONVAL: Self = Self(9);
    pub const NOSTART: Self = Self(10);
    pub const TERMIDERR: Self = Self(11);
    pub const FILENOTFOUND: Self = Self(12);
    pub const NOTFND: Self = Self(13);
    pub const DUPREC: Self = Self(14);
    pub const DUPKEY: Self = Self(15);
    pub const INVREQ: Self = Self(16);
    pub const IOERR: Self = Self(17);
    pub const NOSPACE: Self = Self(18);
    pub const NOTOPEN: Self = Self(19);
    pub const ENDFILE: Self = Self(20);
    pub const ILLOGIC: Self = Self(21);
    pub const LENGERR: Self = Self(22);
    pub const QZERO: Self = Self(23);
    pub const SIGNAL: Self = Self(24);
    pub const QBUSY: Self = Self(25);
    pub const ITEMERR: Self = Self(26);
    pub const PGMIDERR: Self = Self(27);
    pub const TRANSIDERR: Self = Self(28);
    pub const ENDDATA: Self = Self(29);
    pub const INVTSREQ: Self = Self(30);
    pub const EXPIRED: Self = Self(31);
    pub const RETPAGE: Self = Self(32);
    pub const RTEFAIL: Self = Self(33);
    pub const RTESOME: Self = Self(34);
    pub const TSIOERR: Self = Self(35);
    pub const MAPFAIL: Self = Self(36);
    pub const INVERRTERM: Self = Self(37);
    pub const INVMPSZ: Self = Self(38);
    pub const IGREQID: Self = Self(39);
    pub const OVERFLOW: Self = Self(40);
    pub const INVLDC: Self = Self(41);
    pub const NOSTG: Self = Self(42);
    pub const JIDERR: Self = Self(43);
    pub const QIDERR: Self = Self(44);
    pub const NOJBUFSP: Self = Self(45);
    pub const DSSTAT: Self = Self(46);
    pub const SELNERR: Self = Self(47);
    pub const FUNCERR: Self = Self(48);
    pub const UNEXPIN: Self = Self(49);
    pub const NOPASSBKRD: Self = Self(50);
    pub const NOPASSBKWR: Self = Self(51);
    pub const SEGIDERR: Self = Self(52);
    pub const SYSIDERR: Self = Self(53);
    pub const ISCINVREQ: Self = Self(54);
    pub const ENQBUSY: Self = Self(55);
    pub const ENVDEFERR: Self = Self(56);
    pub const IGREQCD: Self = Self(57);
    pub const SESSIONERR: Self = Self(58);
    pub const SYSBUSY: Self = Self(59);
    pub const SESSBUSY: Self = Self(60);
    pub const NOTALLOC: Self = Self(61);
    pub const CBIDERR: Self = Self(62);
    pub const INVEXITREQ: Self = Self(63);
    pub const INVPARTNSET: Self = Self(64);
    pub const INVPARTN: Self = Self(65);
    pub const PARTNFAIL: Self = Self(66);
    pub const USERIDERR: Self = Self(69);
    pub const NOTAUTH: Self = Self(70);
    pub const VOLIDERR: Self = Self(71);
    pub const SUPPRESSED: Self = Self(72);
    pub const RESIDERR: Self = Self(75);
    pub const NOSPOOL: Self = Self(80);
    pub const TERMERR: Self = Self(81);
    pub const ROLLEDBACK: Self = Self(82);
    pub const END: Self = Self(83);
    pub const DISABLED: Self = Self(84);
    pub const ALLOCERR: Self = Self(85);
    pub const STRELERR: Self = Self(86);
    pub const OPENERR: Self = Self(87);
    pub const SPOLBUSY: Self = Self(88);
    pub const SPOLERR: Self = Self(89);
    pub const NODEIDERR: Self = Self(90);
    pub const TASKIDERR: Self = Self(91);
    pub const TCIDERR: Self = Self(92);
    pub const DSNNOTFOUND: Self = Self(93);
    pub const LOADING: Self = Self(94);
    pub const MODELIDERR: Self = Self(95);
    pub const OUTDESCRERR: Self = Self(96);
    pub const PARTNERIDERR: Self = Self(97);
    pub const PROFILEIDERR: Self = Self(98);
    pub const NETNAMEIDERR: Self = Self(99);
    pub const LOCKED: Self = Self(100);
    pub const RECORDBUSY: Self = Self(101);
    pub const UOWNOTFOUND: Self = Self(102);
    pub const UOWLNOTFOUND: Self = Self(103);
    pub const LINKABEND: Self = Self(104);
    pub const CHANGED: Self = Self(105);
    pub const PROCESSBUSY: Self = Self(106);
    pub const ACTIVITYBUSY: Self = Self(107);
    pub const PROCESSERR: Self = Self(108);
    pub const ACTIVITYERR: Self = Self(109);
    pub const CONTAINERERR: Self = Self(110);
    pub const EVENTERR: Self = Self(111);
    pub const TOKENERR: Self = Self(112);
    pub const NOTFINISHED: Self = Self(113);
    pub const POOLERR: Self = Self(114);
    pub const TIMERERR: Self = Self(115);
    pub const SYMBOLERR: Self = Self(116);
    pub const TEMPLATERR: Self = Self(117);
    pub const NOTSUPERUSER: Self = Self(118);
    pub const CSDERR: Self = Self(119);
    pub const DUPRES: Self = Self(120);
    pub const RESUNAVAIL: Self = Self(121);
    pub const CHANNELERR: Self = Self(122);
    pub const CCSIDERR: Self = Self(123);
    pub const TIMEDOUT: Self = Self(124);
    pub const CODEPAGEERR: Self = Self(125);
    pub const INCOMPLETE: Self = Self(126);
    pub const APPNOTFOUND: Self = Self(127);
    pub const BUSY: Self = Self(128);

    /// The condition's name, or `None` for a number that is not one.
    pub fn name(self) -> Option<&'static str> {
        TABLE.iter().find(|row| row.0 == self.0).map(|row| row.1)
    }

    /// The condition of this name (upper case).
    pub fn by_name(name: &str) -> Option<Self> {
        // The older of its two names; programs have both.
        let name = if name == "DSIDERR" {
            "FILENOTFOUND"
        } else {
            name
        };
        TABLE
            .iter()
            .find(|row| row.1 == name)
            .map(|row| Self(row.0))
    }

    /// The abend code when the condition is raised and neither RESP, NOHANDLE, IGNORE nor HANDLE
    /// takes it. `None`: the command just ends.
    pub fn default_abend(self) -> Option<AbendCode> {
        let code = self.abend_code()?;
        Some(AbendCode::from_field(code.as_bytes()))
    }

    /// The same in characters.
    pub fn abend_code(self) -> Option<&'static str> {
        let code = TABLE.iter().find(|row| row.0 == self.0)?.2;
        (!code.is_empty()).then_some(code)
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
    (33, "RTEFAIL", ""),
    (34, "RTESOME", ""),
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
    (81, "TERMERR", "ATNI"),
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
        assert_eq!(Resp::by_name("DSIDERR"), Some(Resp::FILENOTFOUND));
        assert_eq!(
            Resp::INVREQ.default_abend(),
            Some(AbendCode::from_field(b"AEIP"))
        );
        assert_eq!(Resp::NOSTG.default_abend(), None);
        assert!(Resp::all().zip(Resp::all().skip(1)).all(|(a, b)| a.0 < b.0));
    }
}
