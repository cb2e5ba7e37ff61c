// Express on Bun, whose node:http is its own.
import { express as coinslot } from "coinslot/express";
import express from "express";
import { handle } from "./shop.mjs";

const server = express()
  .use(coinslot(handle))
  .listen(Number(process.env.PORT), "127.0.0.1", () =>
    console.log(`Listening on http://127.0.0.1:${server.address().port}`),
  );
