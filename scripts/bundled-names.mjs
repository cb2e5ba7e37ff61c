/** Libraries that are built into dist/vendor/, as they are imported, without what a path of theirs adds. */
export const BUNDLED = [
  "@mozilla/readability",
  "date-holidays",
  "gifenc",
  "h3-js",
  "hast-util-from-html",
  "hast-util-to-html",
  "hast-util-to-mdast",
  "linkedom",
  "lru-cache",
  "mdast-util-gfm-footnote",
  "mdast-util-gfm-strikethrough",
  "mdast-util-gfm-table",
  "mdast-util-gfm-task-list-item",
  "mdast-util-to-markdown",
  "opencc-js",
  "pdfjs-dist",
  "postal-mime",
  "read-excel-file",
];

/**
 * Dependencies that Node loads from dist/vendor/ as well: in one file, without its forty languages, zod costs a third of its
 * start. Bundlers take the package itself, of which they drop what nobody uses; both share its registry and its settings.
 */
export const IN_ONE_FILE = ["zod"];
