//! What Lariat says: verdicts, guarantees, trails, and how they look.

pub mod diagnostics;
pub mod outcome;
pub mod text;
pub mod trail;
