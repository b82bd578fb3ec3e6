//! The HTML document of a page: that of the folder `static`, with the bundles of the page instead of
//! single modules and style sheets, and links by which a browser fetches at once what the page needs.

use super::bundle;

/// A page of the laboratory.
pub(super) struct PageEntry {
    /// Path without the leading slash.
    pub(super) path: &'static str,
    /// Path of the page's module.
    pub(super) module: &'static str,
    /// Paths of the data that the page requests first.
    pub(super) data: &'static [&'static str],
}

/// The pages, in the order of `js/pages.js`.
pub(super) const PAGES: &[PageEntry] = &[
    PageEntry { path: "", module: "js/pages/home.js", data: &["/api/games", "/api/runs?count=4"] },
    PageEntry {
        path: "play",
        module: "js/pages/play.js",
        data: &["/api/games", "/api/players", "/api/about"],
    },
    PageEntry {
        path: "arena",
        module: "js/pages/arena.js",
        data: &["/api/games", "/api/players", "/api/runs"],
    },
    PageEntry { path: "runs", module: "js/pages/runs.js", data: &[] },
    PageEntry {
        path: "learning",
        module: "js/pages/learning.js",
        data: &["/api/learning", "/api/runs", "/api/games"],
    },
    PageEntry { path: "mastermind", module: "js/pages/mastermind.js", data: &["/api/mastermind"] },
    PageEntry { path: "hextris", module: "js/pages/hextris.js", data: &["/api/hextris"] },
    PageEntry {
        path: "solutions",
        module: "js/pages/solutions.js",
        data: &["/api/hextris/submissions"],
    },
    PageEntry {
        path: "reproduce",
        module: "js/pages/reproduce.js",
        data: &["/api/reproductions", "/api/runs"],
    },
];

/// The path of the joined style sheets in the folder of bundles.
pub(super) const STYLE: &str = "style.css";

/// Returns the document of a page with the bundles in `folder`; `page` is `None` for a path that is no
/// page. `template` is the document of the folder `static`.
pub(super) fn with_bundles(template: &str, folder: &str, page: Option<&PageEntry>) -> String {
    let mut head = vec![format!("<link rel=\"stylesheet\" href=\"{folder}{STYLE}\">")];
    head.push(format!("<script src=\"{folder}js/theme.js\"></script>"));
    head.push(format!("<script type=\"module\" src=\"{folder}{}\"></script>", bundle::MAIN));
    if let Some(page) = page {
        head.push(format!("<link rel=\"modulepreload\" href=\"{folder}{}\">", page.module));
        let data = page.data.iter().map(|path| {
            format!("<link rel=\"preload\" href=\"{path}\" as=\"fetch\" crossorigin=\"anonymous\">")
        });
        head.extend(data);
    }
    let is_replaced = |line: &str| line.contains("<script") || line.contains("rel=\"stylesheet\"");
    let kept = template.lines().filter(|line| !is_replaced(line)).collect::<Vec<_>>().join("\n");
    let head: String = head.iter().map(|line| format!("  {line}\n")).collect();
    kept.replacen("</head>", &format!("{head}</head>"), 1) + "\n"
}

/// Returns the paths of the style sheets of a document, in order.
pub(super) fn style_sheets(template: &str) -> impl Iterator<Item = &str> {
    let links = template.split("rel=\"stylesheet\" href=\"/").skip(1);
    links.filter_map(|rest| rest.split('"').next())
}
