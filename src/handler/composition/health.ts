/** Health checks of platforms: whether this process is alive, and whether it can sell. */
import type { Host } from "../../host/host.js";
import type { Service } from "../../host/routes.js";
import { atMost } from "../../lib/abort.js";
import type { RailStates } from "../../payment/x402/reach.js";

/** A probe gives up soon, so that it hears of a store that hangs rather than nothing. */
const STORE_MS = 2000;

export function addHealth(host: Host): void {
  const add = (path: string, answer: Service["answer"]) =>
    host.routes.add(host.basePath + path, { kind: "service", methods: ["GET"], answer });
  add("/healthz", async () => report(200, { status: "ok" }));
  add("/readyz", async () => {
    const [store, rails] = await Promise.all([storeAnswers(host), host.payments.rails()]);
    const checks = { store, payment: canBePaid(host, rails) };
    const ready = Object.values(checks).every((check) => check === "ok");
    // An endpoint that is not sold makes no instance unready: another one would not sell it either.
    await host.live?.fresh();
    const drift = host.live
      ?.failing()
      .map(({ id, class: own, failures, available }) => ({ id, class: own, failures, available }));
    const facilitators = host.payments.facilitators();
    const problems = host.payments.assetProblems();
    const status = ready ? "ok" : "unavailable";
    return report(ready ? 200 : 503, {
      ...{ status, checks },
      ...(rails ? { rails } : {}),
      ...(drift ? { drift } : {}),
      ...(facilitators ? { facilitators } : {}),
      ...(problems.length > 0 ? { networks: problems } : {}),
    });
  });
}

const report = (status: number, body: object) => Response.json(body, { status });

async function storeAnswers({ store }: Host): Promise<string> {
  try {
    await atMost(STORE_MS, () => store.get("readyz"));
    return "ok";
  } catch {
    return "the store cannot be reached";
  }
}

/** Until the facilitator has listed the networks that it supports, some cannot be quoted. */
function canBePaid({ payments, capabilities, pricing }: Host, rails: RailStates = {}): string {
  const [capability] = capabilities;
  if (!payments.charges || payments.edge || !capability) return "ok";
  const { exact, upto } = payments.requirementsFor({ capability, amount: pricing.atLeast(capability) });
  const offered = new Set([...exact, ...upto].map(({ network }) => network));
  if (Object.values(rails).every((state) => state !== "ok")) return "no network can be paid now: see rails";
  if (offered.size === 0) return "no network can be offered: the facilitator has not answered yet";
  const wrong = new Set(payments.assetProblems().map(({ network }) => network));
  const sound = [...offered].filter((network) => !wrong.has(network));
  if (sound.length === 0) return "no network has the token that is offered: see networks";
  return sound.some((network) => rails[network] === "ok") ? "ok" : "no network can be paid now: see rails and networks";
}
