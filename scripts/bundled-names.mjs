/** Libraries that are built into dist/vendor/, as they are imported, without what a path of theirs adds. */
export const BUNDLED = [
  "@mozilla/readability",
  "date-holidays",
  "gifenc",
  "hast-util-from-html",
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
