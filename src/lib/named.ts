/**
 * The exports of a CommonJS library by their names: `import("undici").then(named)`. Bundlers that split a program into files
 * give such a library as its default export alone.
 */
export function named<Library extends object>(library: Library): Library {
  const { default: whole } = library as { default?: Library };
  return whole && Object.keys(library).every((name) => name === "default") ? whole : library;
}
