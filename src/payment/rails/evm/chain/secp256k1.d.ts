/** The package declares no types for the file that loads its native code alone. */
declare module "secp256k1/bindings.js" {
  import type { ecdsaRecover } from "secp256k1";

  const bindings: { ecdsaRecover: typeof ecdsaRecover };
  export default bindings;
}
