//! Types in Erlang's abstract format, with 0 for every line.

use super::Writer;
use crate::tree::*;

impl Writer<'_> {
    fn types(&mut self, types: &[Type]) {
        self.list(types, Self::ty);
    }

    pub(super) fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Var(name) => self.var_node(name, 0),
            TypeKind::Atom(name) => self.atom_node(name, 0),
            TypeKind::Integer(value) => self.text(&format!("{{integer,0,{value}}}")),
            TypeKind::Char(value) => self.text(&format!("{{char,0,{}}}", *value as u32)),
            TypeKind::Annotated { name, ty } => {
                self.text("{ann_type,0,[");
                self.var_node(&name.name, 0);
                self.text(",");
                self.ty(ty);
                self.text("]}");
            }
            TypeKind::Union(members) => {
                let mut flat: Vec<&Type> = members.iter().collect();
                while let Some(TypeKind::Union(inner)) = flat.last().map(|last| &last.kind) {
                    flat.pop();
                    flat.extend(inner);
                }
                self.text("{type,0,union,");
                self.list(&flat, |writer, member| writer.ty(member));
                self.text("}");
            }
            TypeKind::Range(low, high) => {
                self.text("{type,0,range,[");
                self.ty(low);
                self.text(",");
                self.ty(high);
                self.text("]}");
            }
            TypeKind::Unary { op, operand } => {
                self.text(&format!("{{op,0,{},", crate::print::atom(op.text())));
                self.ty(operand);
                self.text("}");
            }
            TypeKind::Binary2 { op, left, right, .. } => {
                self.text(&format!("{{op,0,{},", crate::print::atom(op.text())));
                self.ty(left);
                self.text(",");
                self.ty(right);
                self.text("}");
            }
            TypeKind::Tuple(elements) => self.tagged("tuple", elements),
            TypeKind::List(element) => self.tagged("list", std::slice::from_ref(element)),
            TypeKind::NonEmptyList(element) => {
                self.tagged("nonempty_list", std::slice::from_ref(element));
            }
            TypeKind::Nil => self.text("{type,0,nil,[]}"),
            TypeKind::Map(fields) => {
                self.text("{type,0,map,");
                self.list(fields, |writer, field| {
                    let tag = if field.required { "exact" } else { "assoc" };
                    writer.text(&format!("{{type,0,map_field_{tag},["));
                    writer.ty(&field.key);
                    writer.text(",");
                    writer.ty(&field.value);
                    writer.text("]}");
                });
                self.text("}");
            }
            TypeKind::Record { name, fields } => {
                self.text("{type,0,record,[");
                self.atom_node(&name.name, 0);
                for (field, ty) in fields {
                    self.text(",{type,0,field_type,[");
                    self.atom_node(&field.name, 0);
                    self.text(",");
                    self.ty(ty);
                    self.text("]}");
                }
                self.text("]}");
            }
            TypeKind::Bitstring { fixed, unit } => {
                self.text("{type,0,binary,[");
                self.size(fixed.as_deref());
                self.text(",");
                self.size(unit.as_deref());
                self.text("]}");
            }
            TypeKind::AnyFun => self.text("{type,0,'fun',[]}"),
            TypeKind::Fun(fun) => self.fun_type(fun),
            TypeKind::Named { module: Some(module), name, args } => {
                self.text("{remote_type,0,[");
                self.atom_node(&module.name, 0);
                self.text(",");
                self.atom_node(&name.name, 0);
                self.text(",");
                self.types(args);
                self.text("]}");
            }
            TypeKind::Named { module: None, name, args } => {
                let any = args.is_empty() && matches!(name.name.as_str(), "tuple" | "map");
                self.text("{type,0,");
                self.atom(&name.name);
                self.text(",");
                if any {
                    self.text("any");
                } else {
                    self.types(args);
                }
                self.text("}");
            }
            TypeKind::Error => self.text("{error,0}"),
        }
    }

    fn tagged(&mut self, tag: &str, types: &[Type]) {
        self.text(&format!("{{type,0,{tag},"));
        self.types(types);
        self.text("}");
    }

    fn size(&mut self, size: Option<&Type>) {
        match size {
            Some(size) => self.ty(size),
            None => self.text("{integer,0,0}"),
        }
    }

    pub(super) fn fun_type(&mut self, fun: &FunType) {
        if !fun.constraints.is_empty() {
            self.text("{type,0,bounded_fun,[");
        }
        self.text("{type,0,'fun',[");
        match &fun.params {
            None => self.text("{type,0,any}"),
            Some(params) => self.tagged("product", params),
        }
        self.text(",");
        self.ty(&fun.result);
        self.text("]}");
        if !fun.constraints.is_empty() {
            self.text(",");
            self.list(&fun.constraints, |writer, (name, ty)| {
                writer.text("{type,0,constraint,[{atom,0,is_subtype},[");
                writer.var_node(&name.name, 0);
                writer.text(",");
                writer.ty(ty);
                writer.text("]]}");
            });
            self.text("]}");
        }
    }
}
