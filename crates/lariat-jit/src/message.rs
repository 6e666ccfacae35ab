//! Operations on the messages in the buffer of a channel that take more than a few instructions.

use lariat_ir::model::ChannelType;

/// Inserts a message into the buffer of a channel with `length` messages, before the first that is greater. The
/// channel must not be full.
pub(crate) fn insert_sorted(buffer: &mut [u32], length: u32, ty: &ChannelType, message: &[i32]) {
    let fields = || ty.fields.iter().zip(&ty.offsets).zip(message);
    let greater = |slot: u32, buffer: &[u32]| {
        let there =
            fields().map(|((field, offset), _)| field.load(buffer, slot * ty.stride + offset));
        fields().map(|(_, value)| *value).lt(there)
    };
    let slot = (0..length).find(|&slot| greater(slot, buffer));
    let slot = slot.unwrap_or(length);
    for to in (slot..length).rev() {
        for ((field, offset), _) in fields() {
            let value = field.load(buffer, to * ty.stride + offset);
            field.store(buffer, (to + 1) * ty.stride + offset, value);
        }
    }
    for ((field, offset), value) in fields() {
        field.store(buffer, slot * ty.stride + offset, *value);
    }
}

/// Removes `count` bits from a row of words; those above move down, and zeros follow.
pub(crate) fn remove_bits(row: &mut [u32], bit: u32, count: u32) {
    let (skip, shift) = ((count / 32) as usize, count % 32);
    let first = (bit / 32) as usize;
    let kept = (1u32 << (bit % 32)) - 1;
    for index in first..row.len() {
        let word = |i: usize| row.get(i).copied().unwrap_or(0);
        let low = u64::from(word(index + skip)) | u64::from(word(index + skip + 1)) << 32;
        let moved = (low >> shift) as u32;
        row[index] = match index == first {
            true => row[index] & kept | moved & !kept,
            false => moved,
        };
    }
}

#[cfg(test)]
mod tests {
    use lariat_ir::types::Scalar;

    use super::*;

    #[test]
    fn bits_are_removed_at_any_position() {
        for stride in [1, 2, 8, 16, 32, 64, 96] {
            let slots = 160 / stride;
            for slot in 0..slots {
                let bits = |row: &[u32]| -> Vec<bool> {
                    (0..160).map(|b| row[b / 32] >> (b % 32) & 1 == 1).collect()
                };
                let mut row = [
                    0x1234_5678,
                    0x9abc_def1,
                    0xdead_beef,
                    0x0bad_cafe,
                    0xf00d_1234,
                ];
                let mut expected = bits(&row);
                expected.drain((slot * stride) as usize..((slot + 1) * stride) as usize);
                expected.resize(160, false);
                remove_bits(&mut row, slot * stride, stride);
                assert_eq!(bits(&row), expected, "stride {stride}, slot {slot}");
            }
        }
    }

    #[test]
    fn messages_are_inserted_in_order() {
        let ty = ChannelType::new(4, vec![Scalar::unsigned(8), Scalar::signed(16)]);
        let mut buffer = vec![0; ty.words()];
        for (length, message) in [[5, -1], [3, 9], [5, -2], [4, 0]].iter().enumerate() {
            insert_sorted(&mut buffer, length as u32, &ty, message);
        }
        let field = |slot: u32, field: usize| {
            let bit = slot * ty.stride + ty.offsets[field];
            ty.fields[field].load(&buffer, bit)
        };
        let sorted: Vec<_> = (0..4)
            .map(|slot| (field(slot, 0), field(slot, 1)))
            .collect();
        assert_eq!(sorted, [(3, 9), (4, 0), (5, -2), (5, -1)]);
    }
}
