//! Types and their packed layout.
//!
//! Every variable lives at a bit offset of a frame. A scalar takes the next power of two of its
//! width (a `bit` one bit, a byte eight, an `unsigned : 3` four) and is aligned to it, so no scalar
//! straddles a word and an array element is found by one multiplication.

/// What the number in a scalar stands for; only printing looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// A number.
    Number,
    /// A truth value.
    Boolean,
    /// A channel: 0 is none, n + 1 the n-th channel of the state.
    Channel,
    /// A value of an enumeration of the model.
    Enumeration(u32),
}

/// A scalar type: an integer of at most 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar {
    /// Its width; what is assigned is cut to it, unless it is checked.
    pub bits: u8,
    /// Whether the uppermost bit is a sign.
    pub signed: bool,
    /// What it stands for.
    pub meaning: Meaning,
    /// To store a value that does not fit is a fault, instead of cutting the value.
    pub checked: bool,
}

impl Scalar {
    /// An unsigned number of `bits` bits.
    pub const fn unsigned(bits: u8) -> Self {
        Scalar {
            bits,
            signed: false,
            meaning: Meaning::Number,
            checked: false,
        }
    }

    /// A signed number of `bits` bits.
    pub const fn signed(bits: u8) -> Self {
        Scalar {
            bits,
            signed: true,
            meaning: Meaning::Number,
            checked: false,
        }
    }

    /// The same, but it is a fault to store a value that does not fit.
    pub const fn checked(self) -> Self {
        Scalar {
            checked: true,
            ..self
        }
    }

    /// Whether storing a value is a fault.
    pub fn refuses(self, value: i32) -> bool {
        self.checked && self.truncate(value) != value
    }

    /// The bits that the scalar takes in a frame; also its alignment.
    pub fn storage_bits(self) -> u32 {
        u32::from(self.bits).next_power_of_two()
    }

    /// The value that is left when `value` is assigned to a variable of this type.
    pub fn truncate(self, value: i32) -> i32 {
        let unused = 32 - u32::from(self.bits);
        if self.signed {
            value << unused >> unused
        } else {
            ((value as u32) << unused >> unused) as i32
        }
    }

    /// Reads the scalar at a bit offset.
    pub fn load(self, words: &[u32], bit: u32) -> i32 {
        let raw = words[(bit / 32) as usize] >> (bit % 32);
        self.truncate(raw as i32)
    }

    /// Writes the scalar at a bit offset, cutting the value.
    pub fn store(self, words: &mut [u32], bit: u32, value: i32) {
        let mask = (u32::MAX >> (32 - u32::from(self.bits))) << (bit % 32);
        let word = &mut words[(bit / 32) as usize];
        *word = (*word & !mask) | (((value as u32) << (bit % 32)) & mask);
    }
}

/// The type of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One number.
    Scalar(Scalar),
    /// Elements of one type.
    Array(Box<Type>, u32),
    /// A record of the model, by its index in the table of records.
    Record(usize),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: Type,
    /// Bit offset in the record.
    pub offset: u32,
}

/// A record type with its layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The name.
    pub name: String,
    /// The fields.
    pub fields: Vec<Field>,
    /// Its size, a multiple of the alignment.
    pub bits: u32,
    /// Its alignment.
    pub align: u32,
}

/// The record types of a model.
#[derive(Clone, Debug, Default)]
pub struct Records(pub Vec<Record>);

/// A frame or record would be larger than any memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Records {
    /// The most bits that one frame may have: 64 MiB, far above any useful state.
    pub const MAX_BITS: u32 = 1 << 29;

    /// Size and alignment of a type, in bits.
    pub fn size(&self, ty: &Type) -> Result<(u32, u32), TooLarge> {
        match ty {
            Type::Scalar(scalar) => Ok((scalar.storage_bits(), scalar.storage_bits())),
            Type::Array(element, length) => {
                let (bits, align) = self.size(element)?;
                let total = bits.checked_mul(*length).ok_or(TooLarge)?;
                (total <= Self::MAX_BITS)
                    .then_some((total, align))
                    .ok_or(TooLarge)
            }
            Type::Record(index) => Ok((self.0[*index].bits, self.0[*index].align)),
        }
    }

    /// Adds a record with the given fields.
    pub fn add(
        &mut self,
        name: String,
        fields: impl IntoIterator<Item = (String, Type)>,
    ) -> Result<usize, TooLarge> {
        let mut laid = Vec::new();
        let mut bits = 0;
        let mut record_align = 1;
        for (name, ty) in fields {
            let (size, align) = self.size(&ty)?;
            let offset = place(&mut bits, size, align)?;
            record_align = record_align.max(align);
            laid.push(Field { name, ty, offset });
        }
        place(&mut bits, 0, record_align)?;
        self.0.push(Record {
            name,
            fields: laid,
            bits,
            align: record_align,
        });
        Ok(self.0.len() - 1)
    }
}

/// Takes `size` aligned bits at the end of `bits` and returns their offset.
fn place(bits: &mut u32, size: u32, align: u32) -> Result<u32, TooLarge> {
    let offset = bits.checked_next_multiple_of(align).ok_or(TooLarge)?;
    let end = offset.checked_add(size).ok_or(TooLarge)?;
    if end > Records::MAX_BITS {
        return Err(TooLarge);
    }
    *bits = end;
    Ok(offset)
}

/// A variable and its place in its frame.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: Type,
    /// Bit offset in the frame.
    pub offset: u32,
    /// Not for the user's eyes: made by the front end.
    pub internal: bool,
}

/// Variables that live and die together: the globals, or those of a process.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The variables.
    pub variables: Vec<Variable>,
    /// The size.
    pub bits: u32,
}

impl Frame {
    /// Adds a variable and returns its index.
    pub fn add(
        &mut self,
        records: &Records,
        name: impl Into<String>,
        ty: Type,
        internal: bool,
    ) -> Result<usize, TooLarge> {
        let (size, align) = records.size(&ty)?;
        let offset = place(&mut self.bits, size, align)?;
        self.variables.push(Variable {
            name: name.into(),
            ty,
            offset,
            internal,
        });
        Ok(self.variables.len() - 1)
    }

    /// The words that the frame takes in a state.
    pub fn words(&self) -> usize {
        self.bits.div_ceil(32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncation_cuts_and_extends() {
        assert_eq!(Scalar::unsigned(8).truncate(-1), 255);
        assert_eq!(Scalar::unsigned(3).truncate(9), 1);
        assert_eq!(Scalar::signed(16).truncate(0x1_8000), -0x8000);
        assert_eq!(Scalar::signed(32).truncate(i32::MIN), i32::MIN);
        assert_eq!(Scalar::unsigned(1).truncate(2), 0);
    }

    #[test]
    fn scalars_never_straddle_words_and_do_not_disturb_neighbours() {
        let mut records = Records::default();
        let byte = Type::Scalar(Scalar::unsigned(8));
        let bit = Type::Scalar(Scalar::unsigned(1));
        let short = Type::Scalar(Scalar::signed(16));
        let pair = records
            .add("pair".into(), [("a".into(), bit), ("b".into(), short)])
            .unwrap();
        assert_eq!((records.0[pair].bits, records.0[pair].align), (32, 16));
        let mut frame = Frame::default();
        frame.add(&records, "x", byte, false).unwrap();
        let array = Type::Array(Box::new(Type::Record(pair)), 3);
        let index = frame.add(&records, "y", array, false).unwrap();
        assert_eq!(frame.variables[index].offset, 16);
        let mut words = vec![0; frame.words()];
        Scalar::signed(16).store(&mut words, 32, -2);
        Scalar::unsigned(8).store(&mut words, 0, 511);
        assert_eq!(Scalar::signed(16).load(&words, 32), -2);
        assert_eq!(words[0], 255);
    }

    #[test]
    fn huge_types_are_refused() {
        let records = Records::default();
        let int = Type::Scalar(Scalar::signed(32));
        let huge = Type::Array(Box::new(int), u32::MAX);
        assert_eq!(
            Frame::default().add(&records, "x", huge, false),
            Err(TooLarge)
        );
    }
}
