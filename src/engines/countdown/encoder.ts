/** gifenc's named functions, whichever of its two files a runtime or bundler loads. */
import * as library from "gifenc";
import { named } from "../../lib/packages/named.js";

export const encoder: library.Library = named(library as unknown as library.Library);
