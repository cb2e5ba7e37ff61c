/** Libraries that are built into dist/vendor/, as they are imported, without what a path of theirs adds. */
export const BUNDLED = [
  "@mozilla/readability",
  "date-holidays",
  "gifenc",
  "linkedom",
  "lru-cache",
  "opencc-js",
  "read-excel-file",
];
