/** The package declares no types for this path. */
declare module "secp256k1/bindings.js" {
  import type { ecdsaRecover } from "secp256k1";

  const bindings: { ecdsaRecover: typeof ecdsaRecover };
  export default bindings;
}
