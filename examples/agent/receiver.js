// Where the agent is called back: a server that believes a call only once its signature is right.
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

/** @param {number} [port] default: any that is free */
export async function startReceiver(port = 0) {
  /** By schedule, what its calls are verified with, and who waits for one. @type {Map<string, Waiting>} */
  const expected = new Map();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const waiting = expected.get(JSON.parse(body).data.scheduleId);
    try {
      if (!waiting) throw new Error("a call that nobody asked for");
      const headers = /** @type {Record<string, string>} */ (request.headers);
      waiting.resolve(new Webhook(waiting.secret).verify(body, headers));
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    host: `127.0.0.1:${address.port}`,
    url: `http://127.0.0.1:${address.port}/called`,
    /**
     * The first call of a schedule that is signed with its secret.
     * @param {string} scheduleId
     * @param {string} secret
     * @returns {Promise<any>}
     */
    call: (scheduleId, secret) => new Promise((resolve) => expected.set(scheduleId, { secret, resolve })),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** @typedef {{ secret: string, resolve: (event: unknown) => void }} Waiting */
/** @typedef {Awaited<ReturnType<typeof startReceiver>>} Receiver */
