//! How values are converted: the properties of a service archive and the data format of a record.

/// Conversion options of one service. Names are those of the `.sar` manifest and of BAQLS2JS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties {
    /// `trimOutputTrailingWhitespace`: blanks (and low values) at the end of output strings are
    /// dropped.
    pub trim_output_trailing_whitespace: bool,
    /// `trimOutputLeadingWhitespace`: the same at the front.
    pub trim_output_leading_whitespace: bool,
    /// `omitOutputFieldsByValue` with `omitOutputFieldsByValueByte`: an elementary item whose bytes
    /// all have this value is left out of the output.
    pub omit_output_fields_by_value: Option<u8>,
    /// `omitOutputEmptyTags`: empty strings, objects and arrays are left out of the output.
    pub omit_output_empty_tags: bool,
    /// `escapeOutputControlCharacters`: control characters are printed as `\u` and four digits;
    /// otherwise they are left out, except tabulator and line ends, which are always escaped.
    pub escape_output_control_characters: bool,
    /// `initializeInputFields`: items without a value get blanks or zeros by their kind; otherwise
    /// low values.
    pub initialize_input_fields: bool,
    /// `enforceMinArrayOccurrence`, for tables of variable length: a request array with fewer
    /// elements than the minimum is an error and a request without the array gets the minimum of
    /// initial elements; otherwise the counter is the number of elements given, 0 without the
    /// array.
    pub enforce_min_array_occurrence: bool,
    /// `enforceMinArrayOccurrenceResponse`: a counter below the minimum in a response is an error;
    /// otherwise the array is printed with as many elements as the counter says.
    pub enforce_min_array_occurrence_response: bool,
    /// TRUNCATE-NULL-ARRAYS with TRUNCATE-NULL-ARRAY-VALUES: trailing null elements are not
    /// printed.
    pub truncate_null_arrays: Option<NullPolicy>,
    /// DATA-TRUNCATION=ENABLED: a record shorter than described is allowed; what is missing is
    /// initial.
    pub data_truncation: bool,
    /// DATA-SCREENING=ENABLED: invalid numbers in the record are errors; otherwise they print as 0.
    pub data_screening: bool,
    /// What to do with members of a request the shape does not have.
    pub unknown_members: UnknownMembers,
    /// JSON values of a request must have the type of their member. Otherwise a string may spell a
    /// number, a number may stand for characters, and `null` counts as left out.
    pub strict_types: bool,
}

impl Default for Properties {
    /// What the API toolkit writes into a new service.
    fn default() -> Self {
        Self {
            trim_output_trailing_whitespace: true,
            trim_output_leading_whitespace: false,
            omit_output_fields_by_value: None,
            omit_output_empty_tags: false,
            escape_output_control_characters: false,
            initialize_input_fields: false,
            enforce_min_array_occurrence: true,
            enforce_min_array_occurrence_response: true,
            truncate_null_arrays: None,
            data_truncation: false,
            data_screening: true,
            unknown_members: UnknownMembers::Ignore,
            strict_types: false,
        }
    }
}

/// Which elements count as null at the end of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NullPolicy {
    /// An element is null if each of its bytes is one of these.
    pub bytes: Vec<InitialByte>,
}

/// A byte value of TRUNCATE-NULL-ARRAY-VALUES.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InitialByte {
    /// X'00'.
    LowValue,
    /// A blank in the profile's code page.
    Blank,
    /// A digit zero in the profile's code page.
    Zero,
    /// Any byte.
    Byte(u8),
}

/// Members nobody expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownMembers {
    /// Skipped, as z/OS Connect does.
    Ignore,
    /// An error.
    Refuse,
}

/// How the end of a character value is marked (CHAR-VARYING of BAQLS2JS).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CharVarying {
    /// NO: blanks at the end belong to the value; never trimmed.
    No,
    /// NULL: the value ends before the first X'00'; one byte is kept for it.
    Null,
    /// COLLAPSE: blanks at the end are padding, trimmed as the properties say.
    #[default]
    Collapse,
}

/// Data format of the records of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFormat {
    /// Code page of characters and zoned digits.
    pub ccsid: u16,
    /// Byte order of COMP-5.
    pub native: ByteOrder,
    /// Format of COMP-1 and COMP-2.
    pub float: FloatFormat,
    /// What follows a table of variable length lies directly behind its last element; otherwise the
    /// table takes its largest size always.
    pub odo_slides: bool,
}

impl RecordFormat {
    /// Data of COBOL programs inside a Transom region: ISO 8859-1, little-endian COMP-5 and IEEE
    /// floats, sign letters `{ABC..` and `}JKL..`.
    pub fn region() -> Self {
        Self {
            ccsid: 819,
            native: ByteOrder::Little,
            float: FloatFormat::IeeeLittle,
            odo_slides: true,
        }
    }

    /// Mainframe data in an EBCDIC code page: big-endian, hexadecimal floats.
    pub fn host(ccsid: u16) -> Self {
        Self {
            ccsid,
            native: ByteOrder::Big,
            float: FloatFormat::Hexadecimal,
            odo_slides: true,
        }
    }
}

/// Order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrder {
    /// Most significant byte first.
    Big,
    /// Least significant byte first.
    Little,
}

/// Format of COMP-1 and COMP-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatFormat {
    /// IEEE 754, most significant byte first.
    IeeeBig,
    /// IEEE 754, least significant byte first.
    IeeeLittle,
    /// System/360 hexadecimal floating point.
    Hexadecimal,
}
