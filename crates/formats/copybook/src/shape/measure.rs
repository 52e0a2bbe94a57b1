//! Lengths of nodes and items, in bytes.

use super::{Kind, Node, Packed, Sign, Zoned};

impl Node {
    /// First byte behind it, in the enclosing element's offsets.
    pub fn end(&self) -> usize {
        match &self.kind {
            Kind::Object(members) => members.iter().map(Node::end).max().unwrap_or(self.offset),
            Kind::Array(array) => self.offset + array.stride * array.max,
            Kind::Select(select) => select
                .arms
                .iter()
                .map(|arm| arm.node.end())
                .max()
                .unwrap_or(self.offset),
            leaf => self.offset + leaf.leaf_len(),
        }
    }
}

impl Kind {
    /// Bytes of an elementary item; 0 for groups, tables and redefinitions.
    pub fn leaf_len(&self) -> usize {
        match self {
            Kind::Object(_) | Kind::Array(_) | Kind::Select(_) => 0,
            Kind::Text(text) => text.len,
            Kind::Zoned(zoned) => zoned.len(),
            Kind::Packed(packed) => packed.len(),
            Kind::Binary(binary) => usize::from(binary.len),
            Kind::Float { len } | Kind::Bytes { len, .. } => *len,
            Kind::National { chars } => chars * 2,
        }
    }

    /// True for items whose JSON value is a number.
    pub fn is_number(&self) -> bool {
        matches!(
            self,
            Kind::Zoned(_) | Kind::Packed(_) | Kind::Binary(_) | Kind::Float { .. }
        )
    }
}

impl Zoned {
    /// Bytes in the record.
    pub fn len(&self) -> usize {
        let separate = matches!(self.sign, Sign::LeadingSeparate | Sign::TrailingSeparate);
        usize::from(self.digits) + usize::from(separate)
    }

    /// Never: a picture has at least one digit.
    pub fn is_empty(&self) -> bool {
        self.digits == 0
    }
}

impl Packed {
    /// Bytes in the record.
    pub fn len(&self) -> usize {
        let half_bytes = usize::from(self.digits) + usize::from(self.sign_nibble);
        half_bytes.div_ceil(2)
    }

    /// Never: a picture has at least one digit.
    pub fn is_empty(&self) -> bool {
        self.digits == 0
    }
}
