//! Runs every file under cases/ as a test.
