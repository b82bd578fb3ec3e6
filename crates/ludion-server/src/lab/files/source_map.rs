//! Source maps (ECMA-426) of files that are joined line by line: a debugger shows the joined modules.

use serde_json::json;

/// Some lines of a joined file that are the lines of a module.
pub(super) struct MapSection {
    /// Number of the first line in the joined file, from 0.
    pub(super) line: usize,
    /// Number of lines.
    pub(super) lines: usize,
    /// Path of the module.
    pub(super) source: String,
}

/// Returns the source map of a joined file as JSON.
pub(super) fn write(file: &str, sections: &[MapSection]) -> String {
    let sections = sections.iter().map(|section| {
        let map = json!({
            "version": 3, "sources": [section.source], "names": [], "mappings": line_by_line(section.lines),
        });
        json!({ "offset": { "line": section.line, "column": 0 }, "map": map })
    });
    json!({ "version": 3, "file": file, "sections": sections.collect::<Vec<_>>() }).to_string()
}

/// Returns the mappings of lines that are those of the source: the first is `AAAA`, in base 64 the
/// differences 0 of column, source, line and column; every other one is a line further, `AACA`.
fn line_by_line(lines: usize) -> String {
    let line = |number| if number == 0 { "AAAA" } else { "AACA" };
    (0..lines).map(line).collect::<Vec<_>>().join(";")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_module_is_mapped_to_itself() {
        let section = MapSection { line: 2, lines: 3, source: "/js/a.js".to_owned() };
        let map: serde_json::Value =
            serde_json::from_str(&write("b.js", &[section])).expect("JSON");
        assert_eq!(map["sections"][0]["offset"]["line"], 2);
        assert_eq!(map["sections"][0]["map"]["mappings"], "AAAA;AACA;AACA");
    }
}
