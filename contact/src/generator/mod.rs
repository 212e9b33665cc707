//! Contact generators: one file per method.
