/** The limits of RFC 7208 section 4.6.4, which keep a record from being a weapon. */
import { SpfError } from "./record.js";

export const MAX_LOOKUPS = 10;
export const MAX_VOID_LOOKUPS = 2;

export class LookupBudget {
  lookups = 0;
  voidLookups = 0;

  /** For each term that asks the DNS. Throws permerror above the limit. */
  countLookup(): void {
    // guard: an SPF record asks the DNS ten times at most | gone | spf
    if (this.lookups === MAX_LOOKUPS) throw new SpfError("permerror", `More than ${MAX_LOOKUPS} terms ask the DNS.`);
    this.lookups++;
  }

  /** For each term that found nothing there. Throws permerror above the limit. */
  countVoid(): void {
    // guard: an SPF record asks twice at most for what there is not | gone | spf
    if (this.voidLookups === MAX_VOID_LOOKUPS)
      throw new SpfError("permerror", `More than ${MAX_VOID_LOOKUPS} terms ask for what the DNS does not have.`);
    this.voidLookups++;
  }
}
