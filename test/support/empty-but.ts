/** An upstream's object that has each of the named fields, in blanks apart: null, but for those that are given. */
export const emptyBut = <Given extends object>(names: string, given: Given) => ({
  ...Object.fromEntries(names.split(" ").map((name) => [name, null])),
  ...given,
});
