//! The DVE front end: what systems mean, what is refused, and hostile texts.

mod hostile;
mod lower;
mod mistakes;
mod naive;
mod random;
mod support;
