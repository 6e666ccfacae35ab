//! The stores that keep all states: a store is one file, and one line here.

use crate::set::{Seen, StoreInfo};

/// The list of stores: a name for the program, the file and the type in it. The first is the default. Gives it to another macro.
macro_rules! stores {
    ($then:ident) => {
        $then! { $Tree => tree::TreeStore,
            Flat => flat_set::FlatSet,
        }
    };
}

/// Declares the modules of the stores and exports the types; for the root of the crate.
macro_rules! modules {
    ($d:tt $($variant:ident => $module:ident::$store:ident,)*) => {
        $(
            mod $module;
            pub use $module::$store;
        )*
    };
}

/// Makes the type that names a store, and the macro [`with_store`](crate::with_store) that chooses among them.
macro_rules! store_id {
    ($d:tt $($variant:ident => $module:ident::$store:ident,)*) => {
        /// A store that keeps all states.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum StoreId {
            $(#[doc = concat!("[`", stringify!($store), "`](crate::", stringify!($store), ")")] $variant),*
        }

        impl StoreId {
            /// All stores; the first is the default.
            pub const ALL: &[StoreId] = &[$(StoreId::$variant),*];

            /// The declaration of the store.
            pub const fn info(self) -> &'static StoreInfo {
                match self {
                    $(StoreId::$variant => &<crate::$store as Seen>::INFO),*
                }
            }
        }

        /// Evaluates an expression in which a name stands for the type of a store, chosen by its [`StoreId`](crate::StoreId).
        #[macro_export]
        macro_rules! with_store {
            ($d id:expr, $d name:ident => $d body:expr) => {
                match $d id {
                    $($d crate::StoreId::$variant => {
                        type $d name = $d crate::$store;
                        $d body
                    })*
                }
            };
        }
    };
}

stores!(store_id);

impl StoreId {
    /// The store with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        StoreId::ALL
            .iter()
            .copied()
            .find(|id| id.info().name == name)
    }
}

impl Default for StoreId {
    fn default() -> Self {
        StoreId::ALL[0]
    }
}
