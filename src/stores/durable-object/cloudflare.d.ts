/** The parts of Cloudflare's own module that are used. Its published types change the global ones of a whole program. */
declare module "cloudflare:workers" {
  export abstract class DurableObject {
    constructor(ctx: unknown, env: unknown);
  }
}
