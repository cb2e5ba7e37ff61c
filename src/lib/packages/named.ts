/**
 * The named exports of a CommonJS library: `import("undici").then(named)`. Bundlers that split a program into files
 * expose such a library only as its default export, as Node does with one whose exports it cannot foresee.
 */
export function named<Library extends object>(library: Library): Library {
  const { default: whole } = library as { default?: Library };
  return whole && Object.keys(library).every((name) => MARKS.includes(name)) ? whole : library;
}

/** Names that Node adds to what a library exports. */
const MARKS = ["default", "__esModule", "module.exports"];
