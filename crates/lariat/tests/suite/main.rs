//! Tests of the library as its users see it.

mod checker;
mod encoding;
mod oracle;
mod random;
