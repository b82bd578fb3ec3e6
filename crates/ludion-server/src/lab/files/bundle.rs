//! Bundles: the module scripts of a page in one file, because a slow line pays for every request.
//!
//! A bundle is made of the scripts as they are, line by line, when the first page is requested; there
//! is no build step. Every module becomes a function that returns its exports:
//!
//! ```js
//! modules["/js/dom.js"] ??= (() => {
//! …the lines of the module, `import` and `export` replaced…
//! return { h, s };
//! })();
//! ```
//!
//! The bundle of `js/main.js` holds what every page needs; that of a page holds the rest of what it
//! needs and is loaded by `import()`. A source map leads debuggers to the modules themselves.

use std::collections::{BTreeMap, BTreeSet};

use super::source_map::{self, MapSection};

/// The module that every page begins with.
pub(super) const MAIN: &str = "js/main.js";

/// The bundles of all pages, by the path of their first module.
pub(super) type Bundles = BTreeMap<String, Bundle>;

/// One bundle with its source map.
#[derive(Debug)]
pub(super) struct Bundle {
    /// The script.
    pub(super) script: String,
    /// The source map of the script, as JSON.
    pub(super) map: String,
}

/// A module whose imports and exports are replaced.
#[derive(Debug, Default)]
struct Module {
    /// The lines of the module, as many as its file has.
    text: String,
    /// Paths of the modules that it imports, in order.
    imports: Vec<String>,
    /// Paths of the modules that it loads by `import()`.
    loads: Vec<String>,
    /// Exported names, each with the name inside the module.
    exports: Vec<(String, String)>,
}

/// Makes the bundles of `js/main.js` and of every module that is loaded by `import()`. `read` returns
/// the text of a module by its path, and `folder` is the path under which the bundles are served.
///
/// # Errors
/// When a module is missing, two modules import each other, or an import or export has a form that is
/// not supported; the sentence says which.
pub(super) fn make(read: &dyn Fn(&str) -> Option<String>, folder: &str) -> Result<Bundles, String> {
    let mut modules = BTreeMap::new();
    let mut waiting = vec![MAIN.to_owned()];
    while let Some(path) = waiting.pop() {
        if modules.contains_key(&path) {
            continue;
        }
        let text = read(&path).ok_or_else(|| format!("there is no module {path}"))?;
        let module = parse(&path, &text, folder)?;
        waiting.extend(module.imports.iter().chain(&module.loads).cloned());
        modules.insert(path, module);
    }
    let main = in_order(&modules, MAIN, &[])?;
    let loads: BTreeSet<&String> = modules.values().flat_map(|module| &module.loads).collect();
    let mut bundles = Bundles::new();
    for path in loads {
        let paths = in_order(&modules, path, &main)?;
        let head = format!("import {{ modules }} from \"{folder}{MAIN}\";\n");
        bundles.insert(path.clone(), join(&modules, &paths, head, path));
    }
    let head = "export const modules = {};\n".to_owned();
    bundles.insert(MAIN.to_owned(), join(&modules, &main, head, MAIN));
    Ok(bundles)
}

/// Joins modules to a bundle that begins with the line `head`.
fn join(modules: &BTreeMap<String, Module>, paths: &[String], head: String, name: &str) -> Bundle {
    let (mut script, mut sections) = (head, Vec::new());
    for path in paths {
        let module = &modules[path];
        script += &format!("modules[\"/{path}\"] ??= (() => {{\n");
        let lines = module.text.lines().count();
        sections.push(MapSection {
            line: script.lines().count(),
            lines,
            source: format!("/{path}"),
        });
        script += &module.text;
        let exports = module.exports.iter().map(|(name, inside)| format!("{name}: {inside}"));
        let exports = exports.collect::<Vec<_>>().join(", ");
        script += &format!("return {{ {exports} }};\n}})();\n");
    }
    let file = name.rsplit('/').next().unwrap_or(name);
    script += &format!("//# sourceMappingURL={file}.map\n");
    Bundle { script, map: source_map::write(file, &sections) }
}

/// Returns a module and all that it imports, each after those that it needs, without those in `known`.
fn in_order(
    modules: &BTreeMap<String, Module>,
    first: &str,
    known: &[String],
) -> Result<Vec<String>, String> {
    let (mut done, mut open) = (known.to_vec(), Vec::new());
    visit(modules, first, &mut open, &mut done)?;
    Ok(done.split_off(known.len()))
}

/// Appends a module to `done`, after the modules that it imports; `open` are those that wait for it.
fn visit(
    modules: &BTreeMap<String, Module>,
    path: &str,
    open: &mut Vec<String>,
    done: &mut Vec<String>,
) -> Result<(), String> {
    if done.iter().any(|known| known == path) {
        return Ok(());
    }
    if open.iter().any(|waiting| waiting == path) {
        return Err(format!("{path} imports itself by way of {}", open.join(", ")));
    }
    open.push(path.to_owned());
    for import in &modules[path].imports {
        visit(modules, import, open, done)?;
    }
    open.pop();
    done.push(path.to_owned());
    Ok(())
}

/// Replaces the imports and exports of a module; the number of lines stays the same.
fn parse(path: &str, text: &str, folder: &str) -> Result<Module, String> {
    let mut module = Module::default();
    let mut lines = text.lines();
    let mut in_comment = false;
    while let Some(line) = lines.next() {
        if is_comment(line, &mut in_comment) {
            module.text.push('\n');
            continue;
        }
        let is_list = line.starts_with("import ") || line.starts_with("export {");
        if !is_list {
            let line = module.export(path, line)?;
            let line = module.load(path, line, folder);
            module.text += &line;
            module.text.push('\n');
            continue;
        }
        let (mut statement, mut count) = (line.to_owned(), 1);
        while !statement.trim_end().ends_with(';') {
            let next = lines.next().ok_or_else(|| format!("{path}: {line} has no end"))?;
            statement = format!("{statement} {}", next.trim());
            count += 1;
        }
        if statement.starts_with("import ") {
            module.import(path, &statement)?;
        } else {
            module.export_list(path, &statement)?;
        }
        module.text += &"\n".repeat(count);
    }
    Ok(module)
}

/// Returns whether a whole line is a comment, which is left out; a debugger reads the module itself.
/// `in_comment` says whether a comment of several lines is open.
fn is_comment(line: &str, in_comment: &mut bool) -> bool {
    let text = line.trim();
    let begins = text.starts_with("/**") || text.starts_with("/*");
    if *in_comment || begins {
        *in_comment = !text.contains("*/");
        // Code after the end of a comment stays, with the comment.
        return text.ends_with("*/") || !text.contains("*/");
    }
    text.starts_with("//")
}

impl Module {
    /// Adds the statement `import { a, b as c } from "./other.js";` or `import * as a from …`.
    fn import(&mut self, path: &str, statement: &str) -> Result<(), String> {
        let unknown = || format!("{path}: {statement} is not understood");
        let quoted: Vec<&str> = statement.split('"').collect();
        let [clause, source, ";"] = quoted[..] else { return Err(unknown()) };
        let source = resolve(path, source);
        let names = clause.trim_start_matches("import ").trim().trim_end_matches("from").trim();
        if let Some(list) = names.strip_prefix('{').and_then(|list| list.strip_suffix('}')) {
            let list = list.replace(" as ", ": ");
            self.text += &format!("const {{{list}}} = modules[\"/{source}\"];");
        } else if let Some(name) = names.strip_prefix("* as ") {
            self.text += &format!("const {name} = modules[\"/{source}\"];");
        } else if !names.is_empty() {
            return Err(unknown());
        }
        self.imports.push(source);
        Ok(())
    }

    /// Adds the statement `export { a, b as c };`.
    fn export_list(&mut self, path: &str, statement: &str) -> Result<(), String> {
        let list = statement.strip_prefix("export {").and_then(|rest| rest.strip_suffix("};"));
        let list = list.ok_or_else(|| format!("{path}: {statement} is not understood"))?;
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let (inside, outside) = name.split_once(" as ").unwrap_or((name, name));
            self.exports.push((outside.to_owned(), inside.to_owned()));
        }
        Ok(())
    }

    /// Returns a line without its `export`, and adds the name that it exports.
    fn export<'a>(&mut self, path: &str, line: &'a str) -> Result<&'a str, String> {
        let Some(declaration) = line.strip_prefix("export ") else { return Ok(line) };
        let rest = declaration.trim_start_matches("async ");
        let kinds = ["const ", "function* ", "function ", "class "];
        let name = kinds.iter().find_map(|kind| rest.strip_prefix(kind)).map(|rest| {
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            rest.split(|c| !is_name(c)).next().unwrap_or_default()
        });
        match name.filter(|name| !name.is_empty()) {
            Some(name) => self.exports.push((name.to_owned(), name.to_owned())),
            None => return Err(format!("{path}: {line} is not understood")),
        }
        Ok(declaration)
    }

    /// Replaces `import("./other.js")` in a line by the loading of a bundle.
    fn load(&mut self, path: &str, line: &str, folder: &str) -> String {
        const CALL: &str = "import(\"";
        let Some((before, rest)) = line.split_once(CALL) else { return line.to_owned() };
        // The types in comments are written as imports.
        let is_comment = before.contains("/*") || before.contains("//");
        if is_comment || before.trim_start().starts_with('*') {
            return line.to_owned();
        }
        let Some((source, after)) = rest.split_once("\")") else { return line.to_owned() };
        let source = resolve(path, source);
        let loaded = format!("import(\"{folder}{source}\").then(() => modules[\"/{source}\"])");
        self.loads.push(source);
        format!("{before}{loaded}{}", self.load(path, after, folder))
    }
}

/// Returns the path of a module that another module names relative to itself.
fn resolve(from: &str, name: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes the bundles of these modules.
    fn bundles(files: &[(&str, &str)]) -> Result<Bundles, String> {
        let read = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, text)| (*text).to_owned())
        };
        make(&read, "/bundle/1/")
    }

    #[test]
    fn a_module_comes_after_those_that_it_imports_and_once() {
        let made = bundles(&[
            (
                "js/main.js",
                "import { b } from \"./b.js\";\nimport { a as c } from \"./a.js\";\nb(c);\n",
            ),
            ("js/b.js", "import {\n  a,\n} from \"./a.js\";\nexport const b = () => a;\n"),
            ("js/a.js", "export const a = 1;\nexport async function f() {}\nexport { a as z };\n"),
        ]);
        let made = made.expect("bundles");
        assert_eq!(
            made[MAIN].script,
            "export const modules = {};\n\
             modules[\"/js/a.js\"] ??= (() => {\nconst a = 1;\nasync function f() {}\n\n\
             return { a: a, f: f, z: a };\n})();\n\
             modules[\"/js/b.js\"] ??= (() => {\nconst { a, } = modules[\"/js/a.js\"];\n\n\n\
             const b = () => a;\nreturn { b: b };\n})();\n\
             modules[\"/js/main.js\"] ??= (() => {\nconst { b } = modules[\"/js/b.js\"];\n\
             const { a: c } = modules[\"/js/a.js\"];\nb(c);\nreturn {  };\n})();\n\
             //# sourceMappingURL=main.js.map\n"
        );
    }

    #[test]
    fn what_is_loaded_later_has_a_bundle_without_what_is_there_already() {
        let made = bundles(&[
            (
                "js/main.js",
                "import { a } from \"./a.js\";\nexport const go = () => import(\"./pages/p.js\");\n",
            ),
            ("js/a.js", "  /** @type {import(\"./b.js\").B} */ let b;\nexport const a = 1;\n"),
            ("js/pages/p.js", "import { a } from \"../a.js\";\nexport const show = () => a;\n"),
        ]);
        let made = made.expect("bundles");
        assert_eq!(made.keys().collect::<Vec<_>>(), [MAIN, "js/pages/p.js"]);
        let load = "import(\"/bundle/1/js/pages/p.js\").then(() => modules[\"/js/pages/p.js\"])";
        assert!(made[MAIN].script.contains(load));
        let page = &made["js/pages/p.js"].script;
        assert!(page.starts_with("import { modules } from \"/bundle/1/js/main.js\";\n"));
        assert!(!page.contains("/** @type"), "{page}");
    }

    #[test]
    fn lines_of_comments_are_left_empty_and_other_lines_stay() {
        let text = "// a\n/**\n * b\n */\nconst c = 1; // d\n/** @type {e} */ const f = \"//\";\n";
        let made = bundles(&[("js/main.js", text)]).expect("a bundle");
        let body = "\n\n\n\nconst c = 1; // d\n/** @type {e} */ const f = \"//\";\n";
        assert!(
            made[MAIN].script.contains(&format!("(() => {{\n{body}return")),
            "{}",
            made[MAIN].script
        );
    }

    #[test]
    fn modules_that_cannot_be_bundled_are_named() {
        let wrong = |text: &str| bundles(&[("js/main.js", text)]).expect_err("an error");
        assert!(wrong("import { a } from \"./a.js\";").contains("js/a.js"));
        assert!(wrong("export default 1;").contains("js/main.js: export default 1;"));
        assert!(wrong("export let a = 1;").contains("not understood"));
        assert!(wrong("import a from \"./main.js\";").contains("not understood"));
        assert!(wrong("import { a } from \"./main.js\";").contains("imports itself"));
    }
}
