//! The output of Lariat: reports, trails and diagnostics, as text and JSON.

mod convert;
pub mod diagnostics;
pub mod files;
mod omission;
pub mod plot;
pub mod report;
pub mod text;
pub mod trail;
pub mod trail_text;
pub mod wrap;

pub use convert::result;
