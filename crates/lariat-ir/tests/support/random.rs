//! Small random models.
