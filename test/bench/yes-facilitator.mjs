// A facilitator that says yes to everything unread, over HTTP, in a process of its own; it tells its parent what that asks.
import { once } from "node:events";
import { createServer } from "node:http";
import { kinds, yes } from "./shops.mjs";

let calls = 0;
const server = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  calls++;
  const path = req.url?.slice(1);
  const body = JSON.stringify(await answerTo(path, chunks));
  res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
});

function answerTo(path, chunks) {
  if (path === "supported") return { kinds, extensions: [], signers: {} };
  return yes[path](JSON.parse(Buffer.concat(chunks).toString()).paymentPayload);
}

server.listen(0, "127.0.0.1");
await once(server, "listening");
process.on("message", (question) => process.send?.(question === "port" ? server.address().port : calls));
process.once("disconnect", () => process.exit());
