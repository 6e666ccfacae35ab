//! Models from texts.

use lariat::LANGUAGES;
use lariat_front::{LoadOptions, OptionValue};
use lariat_ir::model::Model;

/// The model of a text, if it is valid.
pub fn model(name: &str, text: String, lossy: bool) -> Option<Model> {
    let mut options = LoadOptions::default();
    options
        .options
        .extend(lossy.then(|| OptionValue::flag("lossy")));
    let loaded = LANGUAGES.load_text(name, text, &options).ok()?;
    Some(loaded.model().clone())
}
