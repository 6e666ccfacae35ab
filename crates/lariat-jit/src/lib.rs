//! Models of the intermediate representation, compiled to machine code in process.
