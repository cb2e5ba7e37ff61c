/** The library's own declarations bring those of browsers with them, which no other code of this package may see. */
export const importXpath = (refuse) => import("fontoxpath").catch(refuse);
