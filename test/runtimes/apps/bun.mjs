import { handle } from "./shop.mjs";

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT),
  fetch: (request, server) => handle(request, { clientAddress: server.requestIP(request)?.address }),
});
console.log(`Listening on ${server.url.origin}`);
