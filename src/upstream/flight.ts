/** Merges equal concurrent reads into one request. */
import type { Context } from "../capability/types.js";
import { abortError } from "../lib/abort.js";
import type { Fetched } from "./cache.js";
import type { Flight, UpstreamState } from "./state.js";

/** Joins the read under this key, or starts it. It ends when its last caller leaves, and not before. */
export async function joinFlight(
  { ctx, state }: { ctx: Context; state: UpstreamState },
  key: string,
  start: (signal: AbortSignal) => Promise<Fetched>,
): Promise<Fetched> {
  let flight = ctx.cache === false ? undefined : state.flights.get(key);
  if (!flight || flight.controller.signal.aborted) {
    const controller = new AbortController();
    const result = start(controller.signal);
    flight = { result, waiting: 0, controller };
    if (ctx.cache !== false) state.flights.set(key, flight);
    result.catch(() => {}).finally(() => state.flights.get(key) === flight && state.flights.delete(key));
  }
  return waitFor(flight, ctx.signal);
}

function waitFor(flight: Flight, signal: AbortSignal): Promise<Fetched> {
  flight.waiting++;
  return new Promise((resolve, reject) => {
    const leave = () => {
      flight.waiting--;
      if (flight.waiting === 0) flight.controller.abort(signal.reason);
      reject(abortError(signal, "The upstream"));
    };
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    flight.result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
