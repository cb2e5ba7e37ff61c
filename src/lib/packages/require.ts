/** Node's `createRequire` under a name that bundlers do not read: webpack takes paths of packages that may be missing for its own. */
import { createRequire } from "node:module";

/** A member: webpack reads plain calls alone. */
const node = { createRequire };

/** For the files of packages, by the address of a module. */
export const requireFrom = (address: string | URL): NodeJS.Require => node.createRequire(address);
