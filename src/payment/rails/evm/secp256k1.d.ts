/** The native half of the package, which has no types of its own path. */
declare module "secp256k1/bindings.js" {
  import type { ecdsaRecover } from "secp256k1";

  const bindings: { ecdsaRecover: typeof ecdsaRecover };
  export default bindings;
}
