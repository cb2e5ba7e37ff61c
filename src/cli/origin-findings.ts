/** Findings of `doctor` about the origins of a gateway's file: their keys, and whether they answer. */
import type { Gateway, GatewayOrigin } from "../gateway/file.js";
import type { Env } from "./settings.js";

export interface OriginFinding {
  about: string;
  name: string;
  state: "ok" | "missing" | "broken" | "warning";
  detail: string;
}

const ABOUT = "Origins";
const REACH_MS = 10_000;

export async function originFindings({ origins }: Gateway, env: Env): Promise<OriginFinding[]> {
  const found = await Promise.all(origins.map((origin) => findingsOf(origin, env)));
  return found.flat();
}

async function findingsOf(origin: GatewayOrigin, env: Env): Promise<OriginFinding[]> {
  const { group, secrets, left } = origin;
  return [
    await reached(origin),
    ...secrets.map((name): OriginFinding => {
      const detail = env[name] ? "set" : `needed for ${group}: it is a part of the credentials`;
      return { about: ABOUT, name, state: env[name] ? "ok" : "missing", detail };
    }),
    ...left.map(
      ({ operation, because }): OriginFinding => ({
        about: ABOUT,
        name: group,
        state: "warning",
        detail: `${operation} is not sold: ${because}`,
      }),
    ),
  ];
}

/** Any answer shows that it is there; without credentials and at its own address it may refuse. */
async function reached({ group, origin, endpoints }: GatewayOrigin): Promise<OriginFinding> {
  const sold = endpoints.length === 1 ? "1 route" : `${endpoints.length} routes`;
  try {
    const response = await fetch(origin, { redirect: "manual", signal: AbortSignal.timeout(REACH_MS) });
    await response.body?.cancel();
    const { status } = response;
    const state = status >= 500 ? "warning" : "ok";
    return { about: ABOUT, name: group, state, detail: `${origin} answers with ${status}; ${sold}` };
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    const told = cause instanceof Error && cause.message ? cause : error;
    const because = told instanceof Error ? told.message : String(told);
    return { about: ABOUT, name: group, state: "broken", detail: `${origin} cannot be reached: ${because}` };
  }
}
