//! Bytes a state on large models, of Lariat alone.

use super::models::Model;
use super::report::{Progress, Report, Table, mebibytes, seconds, thousands};
use super::tools::{Reductions, Tools, missing};

/// For fewer states, memory that does not grow with the model dominates.
pub const SMALLEST: u64 = 5_000_000;

const EXPLANATION: &str = "One worker, all states, one round. Peak memory of the whole process, less that of a model with nothing in it, over the \
    number of states; the size of SPIN's states in bytes for comparison.";

/// Measures all models and adds a table to the report.
pub fn measure(tools: &Tools, models: &[Model], progress: &mut Progress, report: &mut Report) {
    let columns = [
        "model",
        "states",
        "SPIN vector",
        "search",
        "CPU s",
        "MiB",
        "B/state",
    ];
    let mut table = Table::new("Memory", EXPLANATION, &columns);
    let empty = tools.footprint().map_or(0.0, |usage| usage.rss as f64);
    let mut worst: Option<(f64, String)> = None;
    for model in models {
        let name = model.name();
        progress.step(&name, "memory");
        let run = match missing(&model.path) {
            Some(missing) => Err(missing),
            None => tools.lariat(model, Reductions::Off, 1),
        };
        let lariat = match run {
            Ok(lariat) => lariat,
            Err(reason) => {
                progress.done(&name, &reason);
                report.failures.push(format!("memory, {name}: {reason}"));
                continue;
            }
        };
        let (states, usage) = (lariat.run.counts.states, lariat.run.usage);
        let bytes = (usage.rss as f64 - empty).max(0.0) / states.max(1) as f64;
        progress.done(&name, &format!("{bytes:.1} bytes a state"));
        let vector = if model.vector > 0 {
            model.vector.to_string()
        } else {
            "-".into()
        };
        table.rows.push(vec![
            name.clone(),
            thousands(states),
            vector,
            lariat.search,
            seconds(usage.cpu.as_secs_f64()),
            mebibytes(usage.rss as f64),
            format!("{bytes:.1}"),
        ]);
        if worst.as_ref().is_none_or(|(most, _)| bytes > *most) {
            worst = Some((bytes, name));
        }
    }
    if let Some((bytes, name)) = worst {
        table
            .notes
            .push(format!("most bytes a state: {bytes:.1} ({name})"));
    }
    report.tables.push(table);
}
