/**
 * The named exports of a CommonJS library: `import("undici").then(named)`. Bundlers that split a program into files
 * expose such a library only as its default export.
 */
export function named<Library extends object>(library: Library): Library {
  const { default: whole } = library as { default?: Library };
  return whole && Object.keys(library).every((name) => name === "default") ? whole : library;
}
