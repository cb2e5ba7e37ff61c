import { handle } from "./shop.mjs";

Deno.serve(
  {
    hostname: "127.0.0.1",
    port: Number(Deno.env.get("PORT")),
    onListen: ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`),
  },
  (request, { remoteAddr }) => handle(request, { clientAddress: remoteAddr.hostname }),
);
