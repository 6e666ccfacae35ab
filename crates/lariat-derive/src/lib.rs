//! `#[derive(Encode)]` for the states of models.
//!
//! The input is read token by token, without a parser of the whole language: of a field only its name matters, because
//! the types are inferred in the code that is made.

mod generate;
mod item;

use proc_macro::TokenStream;

/// Derives `lariat::Encode`: the fields one after the other, and before those of an enum the number of the variant in as few
/// bits as possible. Every type parameter gets the bound `Encode`.
#[proc_macro_derive(Encode)]
pub fn derive_encode(input: TokenStream) -> TokenStream {
    let code = match item::parse(input) {
        Ok(item) => generate::encode_impl(&item),
        Err(message) => format!("::core::compile_error!({message:?});"),
    };
    code.parse().unwrap_or_default()
}
