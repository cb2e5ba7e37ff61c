/** Node's `createRequire` in a form that bundlers do not read: webpack takes paths of packages that may be missing for its own. */
import nodeModule from "node:module";

/** For the files of packages, by the address of a module. */
export const requireFrom = (address: string | URL): NodeJS.Require => nodeModule.createRequire(address);
