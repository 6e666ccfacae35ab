//! Discrete-time Markov chains and the probability that a run of one violates a formula.
//!
//! A [`Chain`] is read from the explicit format of PRISM (Kwiatkowska, Norman and Parker, "PRISM
//! 4.0: verification of probabilistic real-time systems", CAV 2011) with [`read`] or [`parse`]. A [`Property`] is an
//! LTL formula over its labels. A [`ChainSampler`] makes random walks; each decides whether the run that it is a
//! prefix of violates the formula. The share of violating walks is an unbiased estimate of the probability.
//!
//! Grosu and Smolka ("Monte Carlo model checking", TACAS 2005) end a walk at the first repeated state and check the
//! lasso that it closes. On a Markov chain this does not give the probability of a violation: their own Figure 2 has
//! a lasso of probability 2⁻ⁿ, while almost every run violates the formula, because almost no run follows its first
//! lasso for ever. The limit decides: almost every run ends in a bottom strongly connected component of the product
//! of the chain and a deterministic automaton, and takes each of its edges infinitely often (Courcoubetis and
//! Yannakakis, "The complexity of probabilistic verification", Journal of the ACM 42(4), 1995). So a walk continues
//! until it is in such a component.
//!
//! | file | contents |
//! |---|---|
//! | `chain` | the chain: rows, labels, drawing |
//! | `lines`, `problem` | lines of a file with their positions; error messages about them |
//! | `transitions`, `rows` | the file of the transitions, and the rows of the matrix |
//! | `labels` | the file of the labels |
//! | `load` | both files together |
//! | `property` | a formula over labels, and its automaton |
//! | `product` | the product of the chain and the deterministic automaton |
//! | `table` | a hash table that is emptied in constant time |
//! | `component` | the states in bottom components: exactly, by a search |
//! | `candidate` | the same for graphs whose edges cannot be enumerated: by repetition |
//! | `walk` | the walks |
//! | `lasso` | a run that violates the formula, from a walk |

mod candidate;
mod chain;
mod component;
mod labels;
mod lasso;
mod lines;
mod load;
mod problem;
mod product;
mod property;
mod rows;
mod table;
mod transitions;
mod walk;

pub use chain::Chain;
pub use lasso::{ChainLasso, LassoError};
pub use load::{Input, Source, parse, read};
pub use property::{Property, PropertyError};
pub use walk::{ChainSampler, End, Options, Stopping, WalkResult};
