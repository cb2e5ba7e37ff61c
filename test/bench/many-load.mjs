/** Buyers side by side at a shop in another process. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { CALL } from "./shops.mjs";

const { pathname, search } = new URL(CALL);

/** A script of this folder in a process of its own, and questions to it. */
export function startChild(script, args, execArgv = []) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, { execArgv });
  let asking = Promise.resolve();
  /** One question at a time: answers come without a name. */
  const ask = (question) => {
    asking = asking.then(async () => {
      child.send(question);
      const [answer] = await once(child, "message");
      return answer;
    });
    return asking;
  };
  return { ask, stop: () => child.disconnect() };
}

/** A shop with a pool of payments that are sent one after the other; one that ran dry would measure replays. */
export async function openShop(name, args, payments) {
  const { ask, stop } = startChild("many-server.mjs", args, ["--expose-gc"]);
  const origin = `http://127.0.0.1:${await ask("port")}`;
  let next = 0;
  const buy = async (pool) => {
    const payment = payments[next++];
    if (!payment) throw new Error(`${name}: no payment is left.`);
    const headers = { "payment-signature": payment };
    const { statusCode, body } = await pool.request({ method: "GET", path: pathname + search, headers });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}: ${text.slice(0, 200)}`);
  };
  return {
    name,
    ask,
    stop,
    /** `count` calls, `buyers` at a time, on a connection each; the milliseconds that each took, and all. */
    async sell(count, buyers) {
      const pool = new Pool(origin, { connections: buyers, pipelining: 1, headersTimeout: 0 });
      const each = [];
      let left = count;
      const buyer = async () => {
        while (left-- > 0) {
          const at = performance.now();
          await buy(pool);
          each.push(performance.now() - at);
        }
      };
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: buyers }, buyer));
      const ms = performance.now() - startedAt;
      await pool.close();
      return { each, ms };
    },
  };
}
