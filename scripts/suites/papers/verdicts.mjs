import { countPeer } from "../peers.mjs";

/** The tables that suites of papers fill. */
export const table = [];
export const findings = [];

/**
 * A case is `{ name, ask, faults }`: `ask` calls an endpoint, and `faults(item)` lists what is wrong with its answer; left
 * out where only a refusal is right. `peer`, where there is one, is its name and asks it, `[name, () => isRight]`.
 */
export async function judge(suite, cases) {
  const row = { suite, cases: 0, right: 0, wrong: 0, refused: 0 };
  for (const { name, ask, faults, peer } of cases) {
    row.cases += 1;
    const { how, text } = await verdict(ask, faults);
    row[how] += 1;
    if (peer) await countPeer(row, ...peer);
    if (how !== "right") findings.push({ suite, text: `${how}: ${name}: ${text}` });
  }
  table.push(row);
}

async function verdict(ask, faults) {
  try {
    const { items } = await ask();
    const found = faults ? faults(items[0]) : ["was taken"];
    return found.length > 0 ? { how: "wrong", text: found.join("; ") } : { how: "right" };
  } catch (error) {
    if (error.status !== 400) return { how: "wrong", text: `${error.stack} ${error.cause?.stack ?? ""}` };
    return faults ? { how: "refused", text: error.message } : { how: "right" };
  }
}

/** The difference of two values, if there is one. */
export const differs = (what, got, wanted) =>
  JSON.stringify(got ?? null) === JSON.stringify(wanted ?? null)
    ? []
    : [`${what} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`];
