//! The command line of Lariat.

mod cli;

use std::process::ExitCode;

/// Reading a model walks trees whose depth the parser limits; this is room enough for all of them.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let worker = std::thread::Builder::new()
        .name("lariat".into())
        .stack_size(STACK)
        .spawn(cli::run);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // A panic has said what it had to say.
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            ExitCode::from(2)
        }
    }
}
