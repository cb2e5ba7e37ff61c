// The servers of sockets.mjs, each on a free port, in a process that tells its parent what that asks.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { paymentMiddleware } from "@x402/express";
import { paymentMiddleware as honoMiddleware } from "@x402/hono";
import { express as coinslot } from "coinslot/express";
import { hono } from "coinslot/hono";
import { node } from "coinslot/node";
import express from "express";
import { Hono } from "hono";
import { openOurs, openTheirs, PATH, PROBE } from "./shops.mjs";

const ours = openOurs();
const quote = await ours(new Request(PROBE));
const body = await quote.text();
const headers = Object.fromEntries(quote.headers);

const listeners = {
  "coinslot on node:http": node(ours),
  "coinslot on Express": express().use(coinslot(ours)),
  "@x402/express": express()
    .use(paymentMiddleware(...openTheirs()))
    .get(PATH, (_req, res) => void res.json({})),
  "bare Express": express().get(PATH, (_req, res) => {
    res
      .status(402)
      .set({ ...headers, "x-request-id": randomUUID() })
      .send(body);
  }),
  "coinslot on Hono": getRequestListener(new Hono().use(hono(ours)).fetch),
  "@x402/hono": getRequestListener(new Hono().use(honoMiddleware(...openTheirs())).get(PATH, (c) => c.json({})).fetch),
  "bare Hono": getRequestListener(
    new Hono().get(PATH, (c) => c.body(body, 402, { ...headers, "x-request-id": randomUUID() })).fetch,
  ),
};

const ports = {};
for (const [name, listener] of Object.entries(listeners)) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  ports[name] = server.address().port;
}

const processorMs = ({ user, system }) => (user + system) / 1000;
process.on("message", (question) => process.send?.(question === "ports" ? ports : processorMs(process.cpuUsage())));
process.once("disconnect", () => process.exit());
