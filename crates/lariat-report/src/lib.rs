//! What Lariat says: reports, trails, and how they look.

mod convert;
pub mod diagnostics;
pub mod files;
pub mod plot;
pub mod report;
pub mod text;
pub mod trail;

pub use convert::result;
