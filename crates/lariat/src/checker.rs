//! The checker: a model, its properties, and how they are checked.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use lariat_check::run_property::{Kind, RunProperty, Source};
use lariat_check::spill::open_spill;
use lariat_check::task::{Order, Property, Task, Wishes};
use lariat_check::{Failure, default_memory};
use lariat_ir::space::Fairness;
use lariat_ltl::{Formulas, parse_with_atoms};
use lariat_search::{Budget, SearchId, StoreClass, StoreId, StoreKind};

use crate::error::Error;
use crate::limits::{Memory, Time};
use crate::model::{Condition, Model, Proposition};
use crate::outcome::{Outcome, PropertyKind, property_outcomes};
use crate::system::{Check, CheckKind, Erased, RustSystem, Typed};

/// Checks a model: a sentence that ends with [`run`](Checker::run).
///
/// ```
/// use lariat::{Checker, Model};
///
/// /// Two clerks read a balance, add one, and write it back.
/// struct Bank;
///
/// impl Model for Bank {
///     type State = (u8, [Option<u8>; 2], [bool; 2]); // the balance, what was read, and who is done
///     type Action = usize;
///
///     fn init(&self) -> Vec<Self::State> {
///         vec![(0, [None; 2], [false; 2])]
///     }
///
///     fn actions(&self, _: &Self::State, actions: &mut Vec<usize>) {
///         actions.extend([0, 1]);
///     }
///
///     fn next(&self, state: &Self::State, &clerk: &usize) -> Option<Self::State> {
///         let (mut balance, mut read, mut done) = *state;
///         match (read[clerk], done[clerk]) {
///             (None, _) => read[clerk] = Some(balance),
///             (Some(seen), false) => (balance, done[clerk]) = (seen + 1, true),
///             (Some(_), true) => return None,
///         }
///         Some((balance, read, done))
///     }
/// }
///
/// let outcome = Checker::new(Bank)
///     .always("no update is lost", |_, &(balance, _, done)| done != [true; 2] || balance == 2)
///     .eventually("all clerks are done", |_, &(_, _, done)| done == [true; 2])
///     .run()?;
/// assert!(outcome.is_violated("no update is lost"));
/// assert!(outcome.holds("all clerks are done"));
/// let path = outcome.path("no update is lost").unwrap();
/// assert_eq!(path.actions.len(), 4);
/// # Ok::<(), lariat::Error>(())
/// ```
#[must_use = "a checker does nothing until `run`"]
pub struct Checker<M: Model> {
    model: M,
    properties: Vec<Named<M>>,
    propositions: Vec<Proposition<M>>,
    wishes: Wishes,
    budget: Budget,
    wrong_option: Option<String>,
}

/// A property with its name.
struct Named<M: Model> {
    name: String,
    asked: Asked<M>,
}

/// What a property says.
enum Asked<M: Model> {
    Check(CheckKind, Condition<M>),
    Eventually(Condition<M>),
    LeadsTo(Condition<M>, Condition<M>),
    Formula(String),
}

impl<M: Model> Checker<M> {
    /// A checker of a model, without any property yet.
    pub fn new(model: M) -> Self {
        Checker {
            model,
            properties: Vec::new(),
            propositions: Vec::new(),
            wishes: Wishes::default(),
            budget: Budget {
                memory: default_memory(),
                ..Budget::default()
            },
            wrong_option: None,
        }
    }

    /// A condition that must hold in every reachable state.
    pub fn always(
        self,
        name: impl Into<String>,
        condition: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.check(name, CheckKind::Always, condition)
    }

    /// A condition that must hold in some reachable state. The run that leads there is shown.
    pub fn reachable(
        self,
        name: impl Into<String>,
        condition: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.check(name, CheckKind::Reachable, condition)
    }

    /// No run may come to an end, unless this condition holds there: `|_, _| false` if none may end at all.
    pub fn deadlock_free(
        self,
        name: impl Into<String>,
        may_end: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.check(name, CheckKind::DeadlockFree, may_end)
    }

    /// A condition that must become true in every run. A run that ends before, or that goes round for ever without,
    /// violates it.
    pub fn eventually(
        self,
        name: impl Into<String>,
        condition: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.property(name, Asked::Eventually(Condition::new(condition)))
    }

    /// Whenever the first condition holds, the second must hold then or later.
    pub fn leads_to(
        self,
        name: impl Into<String>,
        cause: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
        effect: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        let asked = Asked::LeadsTo(Condition::new(cause), Condition::new(effect));
        self.property(name, asked)
    }

    /// A formula of linear temporal logic that every run must satisfy.
    ///
    /// Its atoms are the names of propositions ([`proposition`](Self::proposition), [`Model::propositions`]), in quotes if
    /// they are not words, and its operators those of Lariat: `G` or `[]`, `F` or `<>`, `X`, `U`, `W`, `R`, `!`, `&&`, `||`,
    /// `->`, `<->`.
    pub fn ltl(self, name: impl Into<String>, formula: impl Into<String>) -> Self {
        self.property(name, Asked::Formula(formula.into()))
    }

    /// Names a condition, for formulas.
    pub fn proposition(
        mut self,
        name: impl Into<String>,
        condition: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.propositions.push(Proposition::new(name, condition));
        self
    }

    fn check(
        self,
        name: impl Into<String>,
        kind: CheckKind,
        condition: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.property(name, Asked::Check(kind, Condition::new(condition)))
    }

    fn property(mut self, name: impl Into<String>, asked: Asked<M>) -> Self {
        self.properties.push(Named {
            name: name.into(),
            asked,
        });
        self
    }

    /// Which runs count for [`eventually`](Self::eventually), [`leads_to`](Self::leads_to) and [`ltl`](Self::ltl): all, or
    /// those that are fair to every actor of the model.
    pub fn fair(mut self, fairness: Fairness) -> Self {
        self.wishes.fairness = Some(fairness);
        self
    }

    /// The number of threads; without it, as many as the machine has cores.
    pub fn threads(mut self, threads: usize) -> Self {
        self.wishes.workers = Some(threads);
        self
    }

    /// The most memory that a search may use; without it, three quarters of what is available.
    pub fn memory(mut self, memory: impl Into<Memory>) -> Self {
        match memory.into().0 {
            Ok(bytes) => self.budget.memory = Some(bytes),
            Err(message) => self.wrong_option = Some(message),
        }
        self
    }

    /// A directory for waiting states for which there is no memory, at most `most` bytes of them at a time. It needs a search
    /// with a queue, which is chosen if no other one is asked for.
    pub fn spill(mut self, directory: impl AsRef<Path>, most: Option<u64>) -> Self {
        match open_spill(directory.as_ref(), most) {
            Ok(spill) => self.budget.spill = Some(spill),
            Err(message) => self.wrong_option = Some(format!("spill: {message}")),
        }
        self
    }

    /// The most time that all searches together may take.
    pub fn time(mut self, time: impl Into<Time>) -> Self {
        match time.into().0 {
            Ok(time) => self.budget.time = Some(time),
            Err(message) => self.wrong_option = Some(message),
        }
        self
    }

    /// The most states that a search may store.
    pub fn max_states(mut self, states: u64) -> Self {
        self.budget.states = Some(states);
        self
    }

    /// The search ends soon after this is set, from another thread or a signal handler.
    pub fn stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.budget.stop = stop;
        self
    }

    /// The search, by its name: `bfs`, `dfs`, `ndfs`, `scc`, `monte-carlo` and so on. Without it, one is chosen for each
    /// property.
    pub fn search(mut self, name: &str) -> Self {
        self.wishes.search = SearchId::from_name(name);
        if self.wishes.search.is_none() {
            let all: Vec<&str> = SearchId::ALL.iter().map(|id| id.name()).collect();
            self.wrong_option = Some(format!("search {name:?}: there are {all:?}"));
        }
        self
    }

    /// How states are stored, by its name. Stores that distinguish states by a hash may omit some, so that nothing is
    /// shown to hold; all others are exact. The default for one thread is `flat`, and for several it is
    /// `tree`, which shares equal parts of states.
    pub fn store(mut self, name: &str) -> Self {
        match name.parse::<StoreKind>() {
            Ok(store) => self.wishes.store = Some(store),
            Err(_) => {
                let all: Vec<&str> = StoreKind::names().iter().map(|(name, _)| *name).collect();
                self.wrong_option = Some(format!("store {name:?}: there are {all:?}"));
            }
        }
        self
    }

    /// Visits successors in a random order, or draws random walks, from this seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.wishes.seed = Some(seed);
        self
    }

    /// Visits successors in a random order.
    pub fn random_order(mut self) -> Self {
        self.wishes.order = Some(Order::Random);
        self
    }

    /// Looks for shortest counterexamples of properties of runs. Those of conditions on states are shortest anyway, unless
    /// another search is chosen.
    pub fn shortest(mut self) -> Self {
        self.wishes.shortest = true;
        self
    }

    /// Makes so many random walks in place of a search.
    pub fn walks(mut self, walks: u64) -> Self {
        self.wishes.search = Some(SearchId::MonteCarlo);
        self.wishes.walks = Some(walks);
        self
    }

    /// Changes anything else about how the model is checked.
    pub fn with(mut self, change: impl FnOnce(&mut Wishes)) -> Self {
        change(&mut self.wishes);
        self
    }

    /// Checks the properties. All conditions on states take one search together; a property of runs takes one of its own.
    pub fn run(self) -> Result<Outcome<M>, Error> {
        self.validate()?;
        let Checker {
            model,
            properties,
            mut propositions,
            mut wishes,
            budget,
            ..
        } = self;
        propositions.extend(model.propositions());
        let mut questions = Questions::new(&properties, propositions)?;
        choose_store(&mut wishes);
        let separate = wishes.search.is_some_and(|id| !id.info().counts_faults)
            || wishes
                .store
                .is_some_and(|store| store.class() != StoreClass::Keeping);
        questions.group_checks(separate);
        wishes.all_errors = questions.is_grouped();
        let has_runs = !questions.runs.is_empty();
        if !has_runs {
            // Without properties of runs, these have nothing to be about.
            wishes.fairness = None;
            wishes.shortest = false;
        }
        let typed = Typed {
            model: &model,
            checks: questions.checks,
            conditions: questions.conditions,
            problem: OnceLock::new(),
        };
        let tasks = task_properties(&questions.groups, questions.runs);
        let outcomes = check_erased(&typed, tasks, wishes, budget);
        if let Some(problem) = typed.problem.get() {
            return Err(Error::Model(problem.clone()));
        }
        let properties = property_outcomes(&outcomes?, questions.places, &typed.checks);
        Ok(Outcome::new(model, properties))
    }

    /// Refuses what could not be checked, or would be true for a silly reason.
    fn validate(&self) -> Result<(), Error> {
        if let Some(message) = &self.wrong_option {
            return Err(Error::Option(message.clone()));
        }
        if self.properties.is_empty() {
            return Err(Error::NoProperties);
        }
        let initial = self.model.init();
        if initial.is_empty() {
            return Err(Error::NoInitialState);
        }
        let is_fair = self
            .wishes
            .fairness
            .is_some_and(|fairness| fairness != Fairness::None);
        if is_fair && self.model.actors() == 0 {
            return Err(Error::NoActors);
        }
        let mut names: Vec<&str> = self.properties.iter().map(|p| p.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Error::SameName(pair[0].to_string())),
            None => Ok(()),
        }
    }
}

/// Chooses the store if the user has not. Encoded states are short, so that one thread is faster with a table of them
/// than with a tree (see `docs/performance.md`). Several threads would wait for each other at the table, which has one lock.
fn choose_store(wishes: &mut Wishes) {
    let keeps_states = |search: SearchId| search.info().stores.contains(&StoreClass::Keeping);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let is_alone = wishes.workers.unwrap_or_else(cores) <= 1;
    if wishes.store.is_none() && is_alone && wishes.search.is_none_or(keeps_states) {
        wishes.store = Some(StoreKind::Keep(StoreId::Flat));
    }
}

/// Checks a model whose types do not matter any more.
fn check_erased<'m>(
    model: &'m dyn Erased,
    properties: Vec<Property<RustSystem<'m>>>,
    wishes: Wishes,
    budget: Budget,
) -> Result<Vec<lariat_check::outcome::Outcome>, Failure> {
    let task = Task {
        system: &RustSystem(model),
        properties,
        wishes,
        budget,
    };
    lariat_check::check(&task, &mut ())
}

/// A search for each group of checks, and one for each property of runs.
fn task_properties<'m>(groups: &[Vec<usize>], runs: Vec<RunTask>) -> Vec<Property<RustSystem<'m>>> {
    let safety = groups.iter().map(|group| Property::Safety(group.clone()));
    let runs = runs
        .into_iter()
        .map(|(property, conditions)| Property::Runs(property, conditions));
    safety.chain(runs).collect()
}

/// Where the answer to a property is found.
pub(crate) struct Answer {
    pub name: String,
    pub kind: PropertyKind,
    pub place: Place,
    /// The names of its atoms.
    pub atoms: Vec<String>,
}

/// The number of the outcome with the answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// That of a search which makes the check with this number.
    Check { search: usize, check: usize },
    /// That of the property of runs with this number.
    Run(usize),
}

/// The properties of a checker, as a task has them.
struct Questions<M: Model> {
    checks: Vec<Check<M>>,
    /// The checks of each search.
    groups: Vec<Vec<usize>>,
    runs: Vec<RunTask>,
    /// The conditions of all properties of runs.
    conditions: Vec<Condition<M>>,
    places: Vec<Answer>,
}

impl<M: Model> Questions<M> {
    fn new(properties: &[Named<M>], propositions: Vec<Proposition<M>>) -> Result<Self, Error> {
        let mut questions = Questions {
            checks: Vec::new(),
            groups: Vec::new(),
            runs: Vec::new(),
            conditions: Vec::new(),
            places: Vec::new(),
        };
        for property in properties {
            let name = property.name.clone();
            let (kind, place, atoms) = match &property.asked {
                Asked::Check(kind, condition) => {
                    questions.checks.push(Check {
                        name: name.clone(),
                        kind: *kind,
                        condition: condition.clone(),
                    });
                    let check = questions.checks.len() - 1;
                    (
                        PropertyKind::of_check(*kind),
                        Place::Check { search: 0, check },
                        Vec::new(),
                    )
                }
                asked => {
                    let (kind, (run, conditions)) = run_property(&name, asked, &propositions)?;
                    let atoms = run.atoms.clone();
                    let first = questions.conditions.len();
                    questions.conditions.extend(conditions);
                    let numbers = (first..questions.conditions.len()).collect();
                    questions.runs.push((run, numbers));
                    (kind, Place::Run(questions.runs.len() - 1), atoms)
                }
            };
            questions.places.push(Answer {
                name,
                kind,
                place,
                atoms,
            });
        }
        Ok(questions)
    }

    /// Decides which checks a search makes: all of them, or one.
    fn group_checks(&mut self, separate: bool) {
        let all = 0..self.checks.len();
        self.groups = match separate {
            true => all.map(|check| vec![check]).collect(),
            false if self.checks.is_empty() => Vec::new(),
            false => vec![all.collect()],
        };
        let groups = self.groups.len();
        for answer in &mut self.places {
            match &mut answer.place {
                Place::Check { search, check } if separate => *search = *check,
                Place::Check { search, .. } => *search = 0,
                Place::Run(number) => *number += groups,
            }
        }
    }

    /// Whether a search makes several checks.
    fn is_grouped(&self) -> bool {
        self.groups.iter().any(|group| group.len() > 1)
    }
}

/// A property of runs with the numbers of its conditions.
type RunTask = (RunProperty, Vec<usize>);

/// A property of runs with its conditions.
type WithConditions<M> = (RunProperty, Vec<Condition<M>>);

fn run_property<M: Model>(
    name: &str,
    asked: &Asked<M>,
    propositions: &[Proposition<M>],
) -> Result<(PropertyKind, WithConditions<M>), Error> {
    let mut formulas = Formulas::new();
    let (kind, formula, conditions) = match asked {
        Asked::Eventually(condition) => {
            let atom = formulas.atom(name);
            let formula = formulas.eventually(atom);
            (PropertyKind::Eventually, formula, vec![condition.clone()])
        }
        Asked::LeadsTo(cause, effect) => {
            let (from, to) = (formulas.atom("cause"), formulas.atom("effect"));
            let later = formulas.eventually(to);
            let implication = formulas.implies(from, later);
            let formula = formulas.always(implication);
            (
                PropertyKind::LeadsTo,
                formula,
                vec![cause.clone(), effect.clone()],
            )
        }
        Asked::Formula(text) => {
            let parsed = parse_with_atoms(&mut formulas, text).map_err(|error| Error::Formula {
                property: name.into(),
                message: format!(
                    "{}, at {:?} in {text:?}",
                    error.message,
                    text.get(error.span).unwrap_or("")
                ),
            })?;
            let mut conditions = Vec::new();
            for atom in &parsed.atoms {
                let found = propositions
                    .iter()
                    .find(|p| p.name == atom.name || p.name == atom.text);
                let found = found.ok_or_else(|| Error::UnknownProposition {
                    property: name.into(),
                    name: atom.text.clone(),
                    known: propositions.iter().map(|p| p.name.clone()).collect(),
                })?;
                conditions.push(found.condition.clone());
            }
            (PropertyKind::Ltl, parsed.formula, conditions)
        }
        Asked::Check(..) => return Err(Error::NoProperties),
    };
    let property = RunProperty {
        kind: Kind::Ltl,
        name: name.into(),
        text: None,
        atoms: formulas.atoms().to_vec(),
        constants: Vec::new(),
        source: Source::Formula { formulas, formula },
    };
    Ok((kind, (property, conditions)))
}
