//! What a specification declares, for those who ask questions about it: its actions with the sorts of their data, and its sorts
//! with what their values are built from.

use crate::model::{Model, SortId, SymbolId, TAU};
use crate::system::Algebra;

/// A name with the sorts of its arguments: an action, or a constructor.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Declared {
    pub name: String,
    pub sorts: Vec<String>,
}

/// A sort.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DeclaredSort {
    pub name: String,
    pub constructors: Vec<Declared>,
    /// Every value, as labels spell it, if the sort is finite and has few.
    pub values: Option<Vec<String>>,
}

/// A sort with more values than this is taken for one that nobody wants to go through.
const VALUES_MAX: usize = 1_000;

impl Algebra {
    /// Every action, whether or not it can be seen from the outside.
    ///
    /// ```
    /// let text = "sort D func d1, d2: -> D act a: D # D init a(d1,d2)";
    /// let system = foresee_algebra::load(text, Default::default()).unwrap();
    /// assert_eq!(system.declared_actions()[0].sorts, ["D", "D"]);
    /// let values = system.declared_sorts().into_iter().find(|sort| sort.name == "D").unwrap().values;
    /// assert_eq!(values.unwrap(), ["d1", "d2"]);
    /// ```
    pub fn declared_actions(&self) -> Vec<Declared> {
        let visible = self.model.actions.iter().skip(TAU as usize + 1);
        visible.map(|it| declared(&self.model, &it.name, &it.sorts)).collect()
    }

    /// Every sort, `Bool` included.
    pub fn declared_sorts(&self) -> Vec<DeclaredSort> {
        let model = &*self.model;
        let sort = |id: SortId| {
            let sort = &model.sorts[id as usize];
            let constructor = |id: &SymbolId| {
                let symbol = model.symbol(*id);
                declared(model, &symbol.name, &symbol.arguments)
            };
            DeclaredSort {
                name: sort.name.clone(),
                constructors: sort.constructors.iter().map(constructor).collect(),
                values: values(model, id),
            }
        };
        (0..model.sorts.len() as SortId).map(sort).collect()
    }
}

fn declared(model: &Model, name: &str, sorts: &[SortId]) -> Declared {
    let sorts = sorts.iter().map(|it| model.sorts[*it as usize].name.clone()).collect();
    Declared { name: name.to_owned(), sorts }
}

/// All values of a finite sort, in the order of its constructors.
fn values(model: &Model, sort: SortId) -> Option<Vec<String>> {
    let sort = &model.sorts[sort as usize];
    if !sort.is_finite {
        return None;
    }
    let mut found = Vec::new();
    for id in &sort.constructors {
        let symbol = model.symbol(*id);
        // Every list of arguments, first argument outermost.
        let mut lists: Vec<Vec<String>> = vec![Vec::new()];
        for argument in &symbol.arguments {
            let own = values(model, *argument)?;
            if lists.len().saturating_mul(own.len()) > VALUES_MAX {
                return None;
            }
            lists = lists
                .iter()
                .flat_map(|list| {
                    own.iter().map(move |value| [&list[..], std::slice::from_ref(value)].concat())
                })
                .collect();
        }
        found.extend(lists.into_iter().map(|list| match list.is_empty() {
            true => symbol.name.clone(),
            false => format!("{}({})", symbol.name, list.join(",")),
        }));
        if found.len() > VALUES_MAX {
            return None;
        }
    }
    Some(found)
}
