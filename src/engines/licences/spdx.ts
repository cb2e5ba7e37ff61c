/** The SPDX list: spelling, deprecation and approval of identifiers. */
import { once } from "../../lib/lazy.js";
import { CURRENT, DEPRECATED, DEPRECATED_EXCEPTIONS, EXCEPTIONS, OSI_APPROVED } from "./spdx-table.js";

const idsIn = (rows: readonly string[]) => rows.join("").trim().split(" ");
const bySpelling = (ids: string[]) => new Map(ids.map((id) => [id.toLowerCase(), id]));

export const idsOf = once(() => {
  // `GPL-2.0+` is in the list for its age; expressions write it as GPL-2.0 with a plus.
  const deprecated = idsIn(DEPRECATED).filter((id) => !id.endsWith("+"));
  const licences = bySpelling([...idsIn(CURRENT), ...deprecated]);
  const exceptions = bySpelling([...idsIn(EXCEPTIONS), ...idsIn(DEPRECATED_EXCEPTIONS)]);
  const old = new Set([...deprecated, ...idsIn(DEPRECATED_EXCEPTIONS)]);
  const approved = new Set(idsIn(OSI_APPROVED));
  return {
    licence: (name: string) => licences.get(name.toLowerCase()),
    exception: (name: string) => exceptions.get(name.toLowerCase()),
    isDeprecated: (id: string) => old.has(id),
    isOsiApproved: (id: string) => approved.has(id),
  };
});
