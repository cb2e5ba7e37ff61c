// A facilitator that says yes to everything unread, over HTTP, in a process of its own, which tells its parent what that
// asks. It answers as many milliseconds later as its first argument says; while it is told to hold, it answers nothing.
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { kinds, yes } from "./shops.mjs";

const latencyMs = Number(process.argv[2] ?? 0);
let calls = 0;
let held = Promise.resolve();
let release = () => {};
const server = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  calls++;
  const path = req.url?.slice(1);
  if (latencyMs > 0) await sleep(latencyMs);
  await held;
  const body = JSON.stringify(await answerTo(path, chunks));
  res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
});

function answerTo(path, chunks) {
  if (path === "supported") return { kinds, extensions: [], signers: {} };
  return yes[path](JSON.parse(Buffer.concat(chunks).toString()).paymentPayload);
}

// Thousands of calls may be open at once, and a connection that is closed while it is used again is one of the machine's own.
server.keepAliveTimeout = 60_000;
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 });
await once(server, "listening");
const answers = {
  port: () => server.address().port,
  calls: () => calls,
  hold() {
    held = new Promise((resolve) => {
      release = resolve;
    });
    return true;
  },
  release() {
    release();
    return true;
  },
};
process.on("message", (question) => process.send?.(answers[question]()));
process.once("disconnect", () => process.exit());
