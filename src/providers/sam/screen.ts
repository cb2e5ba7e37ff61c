/** Screens a name against the exclusions: in the extract, or with a key by the API if the extract is missing. */
import type { Context } from "../../capability/types.js";
import type { Listed, NameList, Search, SearchOptions } from "../../engines/names/name-list.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { loadBulk } from "../../upstream/bulk/bulk.js";
import { failover } from "../../upstream/failover.js";
import { askExclusions } from "./api.js";
import type { Exclusion } from "./exclusion.js";
import { samFile } from "./extract.js";
import { samApi } from "./provider.js";

const MAX_AGE_DAYS = 7;

export interface ExclusionScreening extends Search<Listed<Exclusion>> {
  /** The searched list, which explains its scores. */
  list: NameList<Exclusion>;
  /** The day of the copy. */
  asOf: string;
}

/** Rejects if neither is available, or the copy is too old to clear anybody. */
export async function screenExclusions(
  name: string,
  options: SearchOptions<Listed<Exclusion>>,
  ctx: Context,
): Promise<ExclusionScreening> {
  const byApi = async () => {
    const list = await askExclusions(name, ctx);
    return { ...(await list.search(name, options)), list, asOf: ctx.clock().toISOString().slice(0, 10) };
  };
  const byExtract = async () => {
    const { list, asOf } = await exclusions(ctx);
    return { ...(await list.search(name, options)), list, asOf };
  };
  return failover(byExtract, samApi.secret && ctx.secret(samApi.secret.name) ? byApi : undefined);
}

export async function exclusions(ctx: Context) {
  const { index, fetchedAt } = await loadBulk(ctx, samFile);
  if (ctx.clock().getTime() - fetchedAt.getTime() > MAX_AGE_DAYS * DAY_MS)
    throw new CapabilityError("UPSTREAM_ERROR", `The copy of the exclusions is older than ${MAX_AGE_DAYS} days.`);
  return { list: index, asOf: fetchedAt.toISOString().slice(0, 10) };
}
