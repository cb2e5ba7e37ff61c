/** The real handler through every way in: what a buyer meets first. */
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hono } from "../../src/adapters/hono.js";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { type Reply, TRANSPORTS, type Transport } from "../support/transports.js";
import { TREASURY } from "../support/wallets.js";

const json = (reply: Reply) => JSON.parse(reply.body.toString("utf8"));

it("knows its endpoints from the app's own routes below the same base path", async () => {
  const handle = createHandler({ capabilities: [convertUnit], payment: false });
  const app = new Hono().use(hono(handle)).get("/api/users", (c) => c.text("users"));
  expect(await (await app.request("/api/users")).text()).toBe("users");
  expect((await app.request("/api/convert/unit?value=1&from=kg&to=lb")).status).toBe(200);
  expect((await app.request("/api/directory")).status).toBe(200);
});

describe.each(TRANSPORTS)("$name", (kind) => {
  let handle: Handler;
  let transport: Transport;
  const target = `${kind.basePath}/convert/unit`;
  const query = "?value=150&from=lb&to=kg";
  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    transport.send({ method, target: path, headers });

  beforeAll(async () => {
    handle = createHandler({
      capabilities: [convertUnit],
      payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: FACILITATOR_URL } },
      fetch: fakeFacilitator().fetch,
      basePath: kind.basePath,
    });
    transport = await kind.open(handle);
  });
  afterAll(async () => {
    await transport.close?.();
    await handle.close();
  });

  it("asks for payment, with the quote in body and header", async () => {
    const reply = await send("GET", target + query);
    expect(reply.status).toBe(402);
    expect(json(reply).accepts).toMatchObject([{ network: "eip155:8453", amount: "1000" }]);
    const header = JSON.parse(Buffer.from(reply.headers.get("payment-required") ?? "", "base64").toString("utf8"));
    expect(new URL(header.resource.url).pathname).toBe((kind.prefix ?? "") + target);
    expect(reply.headers.get("cache-control")).toBe("no-store");
  });

  it("TRI-2 one trial, however many addresses a caller invents", async () => {
    const first = await send("GET", target + query, { "x-svc-trial": "1" });
    expect([first.status, json(first).data.items[0].result]).toEqual([200, 68.0388555]);
    for (let index = 0; index < 5; index++) {
      const forged = {
        "x-svc-trial": "1",
        "x-forwarded-for": `198.51.100.${index}`,
        "x-real-ip": `198.51.100.${index}`,
      };
      expect((await send("GET", target + query, forged)).status).toBe(402);
    }
  });

  it("IN-18 says which method it takes; HEAD and OPTIONS are free", async () => {
    const wrong = await send("DELETE", target);
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const head = await send("HEAD", target);
    expect([head.status, head.body.length]).toEqual([402, 0]);
    expect((await send("OPTIONS", target)).status).toBe(204);
  });

  it.skipIf(kind.passesOn)("IN-19 an unknown path is a 404 in the shape of every error", async () => {
    const reply = await send("GET", `${kind.basePath}/convert/nothing`);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    expect(json(reply).code).toBe("NOT_FOUND");
  });

  it("an invalid input is a free 400", async () => {
    const reply = await send("GET", `${target}?value=1&from=kg&to=parsec`);
    expect([reply.status, json(reply).code]).toEqual([400, "INVALID_INPUT"]);
  });
});
