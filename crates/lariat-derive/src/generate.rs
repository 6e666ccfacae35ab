//! The code of a derived implementation.

use crate::item::{Body, Fields, Item};

/// The implementation of `lariat::Encode`.
pub fn encode_impl(item: &Item) -> String {
    let declarations: Vec<&str> = item
        .parameters
        .iter()
        .map(|parameter| parameter.declaration.as_str())
        .collect();
    let names: Vec<&str> = item.parameters.iter().map(|p| p.name.as_str()).collect();
    let bounds: String = item
        .parameters
        .iter()
        .filter(|parameter| parameter.is_type)
        .map(|parameter| format!("{}: ::lariat::Encode,", parameter.name))
        .collect();
    let predicates = match item.predicates.trim() {
        "" => String::new(),
        text if text.ends_with(',') => text.to_string(),
        text => format!("{text},"),
    };
    let (encode, decode) = match &item.body {
        Body::Struct(fields) => struct_bodies(fields),
        Body::Enum(variants) => enum_bodies(variants),
    };
    format!(
        "#[automatically_derived]
        impl<{declarations}> ::lariat::Encode for {name}<{names}> where {predicates} {bounds} {{
            #[inline]
            fn encode(&self, out: &mut ::lariat::Encoder<'_>) {{ {encode} }}
            #[inline]
            fn decode(from: &mut ::lariat::Decoder<'_>) -> ::core::option::Option<Self> {{ {decode} }}
        }}",
        declarations = declarations.join(", "),
        name = item.name,
        names = names.join(", "),
    )
}

fn struct_bodies(fields: &Fields) -> (String, String) {
    let encode = format!(
        "let _ = &out; let Self {} = self; {}",
        pattern(fields),
        encode_fields(fields)
    );
    let decode = format!(
        "let _ = &from; ::core::option::Option::Some(Self {})",
        decode_fields(fields)
    );
    (encode, decode)
}

fn enum_bodies(variants: &[(String, Fields)]) -> (String, String) {
    if variants.is_empty() {
        let decode = "let _ = from; ::core::option::Option::None";
        return ("let _ = out; match *self {}".into(), decode.into());
    }
    // As few bits as the largest number needs.
    let bits = usize::BITS - (variants.len() - 1).leading_zeros();
    let (mut encode, mut decode) = (String::new(), String::new());
    for (number, (name, fields)) in variants.iter().enumerate() {
        encode.push_str(&format!(
            "Self::{name} {} => {{ out.bits({number}, {bits}); {} }}",
            pattern(fields),
            encode_fields(fields)
        ));
        decode.push_str(&format!(
            "{number} => ::core::option::Option::Some(Self::{name} {}),",
            decode_fields(fields)
        ));
    }
    (
        format!("match self {{ {encode} }}"),
        format!("match from.bits({bits})? {{ {decode} _ => ::core::option::Option::None }}"),
    )
}

/// The names under which fields are bound.
fn bound(fields: &Fields) -> Vec<String> {
    match fields {
        Fields::Unit => Vec::new(),
        Fields::Tuple(count) => (0..*count).map(|i| format!("field_{i}")).collect(),
        Fields::Named(names) => names.clone(),
    }
}

fn pattern(fields: &Fields) -> String {
    let rename = |(i, name): (usize, &String)| format!("{name}: field_{i}");
    match fields {
        Fields::Unit => String::new(),
        Fields::Tuple(_) => format!("({})", bound(fields).join(", ")),
        Fields::Named(names) => {
            let all: Vec<String> = names.iter().enumerate().map(rename).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}

fn encode_fields(fields: &Fields) -> String {
    let count = bound(fields).len();
    (0..count)
        .map(|i| format!("::lariat::Encode::encode(field_{i}, out);"))
        .collect()
}

fn decode_fields(fields: &Fields) -> String {
    const DECODE: &str = "::lariat::Encode::decode(from)?";
    match fields {
        Fields::Unit => String::new(),
        Fields::Tuple(count) => format!("({})", vec![DECODE; *count].join(", ")),
        Fields::Named(names) => {
            let all: Vec<String> = names
                .iter()
                .map(|name| format!("{name}: {DECODE}"))
                .collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}
