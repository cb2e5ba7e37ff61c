/** Health checks of platforms: whether this process is alive, and whether it can sell. */
import type { Host } from "../host/host.js";
import type { Service } from "../host/routes.js";

export function addHealth(host: Host): void {
  const add = (path: string, answer: Service["answer"]) =>
    host.routes.add(host.basePath + path, { kind: "service", methods: ["GET"], answer });
  add("/healthz", async () => report(200, { status: "ok" }));
  add("/readyz", async () => {
    const checks = { store: await storeAnswers(host), payment: canBePaid(host) };
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
      ...(drift ? { drift } : {}),
      ...(facilitators ? { facilitators } : {}),
      ...(problems.length > 0 ? { networks: problems } : {}),
    });
  });
}

const report = (status: number, body: object) => Response.json(body, { status });

async function storeAnswers({ store }: Host): Promise<string> {
  try {
    await store.get("readyz");
    return "ok";
  } catch {
    return "the store cannot be reached";
  }
}

/** Until the facilitator has listed the networks that it supports, some cannot be quoted. */
function canBePaid({ payments, capabilities, pricing }: Host): string {
  const [capability] = capabilities;
  if (!payments.charges || !capability) return "ok";
  const wrong = new Set(payments.assetProblems().map(({ network }) => network));
  const { exact, upto } = payments.requirementsFor({ capability, amount: pricing.atLeast(capability) });
  const offers = [...exact, ...upto];
  if (offers.length > 0 && offers.every(({ network }) => wrong.has(network)))
    return "no network has the token that is offered: see networks";
  return offers.length > 0 ? "ok" : "no network can be offered: the facilitator has not answered yet";
}
