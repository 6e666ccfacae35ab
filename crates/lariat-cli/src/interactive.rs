//! Simulation by hand: the user chooses every step.

use std::io::BufRead;

use lariat_ir::interpret::Step;

use super::simulate::Session;

const HELP: &str = "  N      take step N
  Enter  take the only step
  b      go one step back
  s      show all variables
  h      this help
  q      quit
";

/// Runs the dialogue until the user or the input ends it.
pub fn run(session: &mut Session) {
    let mut lines = std::io::stdin().lock().lines();
    loop {
        let choices = session.runner.choices();
        if choices.is_empty() {
            session.report_end();
        }
        show_choices(session, &choices);
        super::print("> ");
        let Some(Ok(line)) = lines.next() else {
            super::print("\n");
            return;
        };
        match line.trim() {
            "q" | "quit" => return,
            "h" | "help" | "?" => super::print(HELP),
            "s" | "state" => show_state(session),
            "b" | "back" => match session.history.pop() {
                Some(earlier) => {
                    session.runner.restore(earlier.state, earlier.control);
                    session.taken = earlier.taken;
                }
                None => super::print("this is the beginning\n"),
            },
            word => {
                let number = match word {
                    "" if choices.len() == 1 => Some(1),
                    word => word.parse::<usize>().ok(),
                };
                let step = number.and_then(|n| choices.get(n.checked_sub(1)?));
                let Some(step) = step else {
                    super::print_lines("choose a number from the list, or h for help\n");
                    continue;
                };
                session.history.push(session.now());
                session.take(*step);
            }
        }
    }
}

fn show_choices(session: &Session, choices: &[Step]) {
    for (index, step) in choices.iter().enumerate() {
        let record = session.runner.record(*step);
        let partner = match &record.partner {
            Some(p) => format!(
                " -> {}[{}] {} (line {})",
                p.process, p.pid, p.statement, p.line
            ),
            None => String::new(),
        };
        super::print_lines(&format!(
            "  {:>3}  {}[{}] line {}: {}{partner}\n",
            index + 1,
            record.process,
            record.pid,
            record.line,
            record.statement,
        ));
    }
}

fn show_state(session: &Session) {
    for item in session.runner.items() {
        super::print_lines(&format!("  {} = {}\n", item.name, item.value));
    }
    let state = session.runner.state();
    let model = session.runner.interpreter().model();
    for pid in 0..state.process_count() {
        let process = &model.processes[state.process_type(pid)];
        let location = &process.locations[state.location(pid) as usize];
        let at = location.transitions.first().map_or(String::new(), |&t| {
            let statement = &process.transitions[t as usize].statement;
            format!(" at line {}", model.sources.location(statement.span).line)
        });
        let name = lariat_ir::describe::process_name(&process.name);
        super::print_lines(&format!("  {name}[{pid}]{at}\n"));
    }
}
