import { serve } from "coinslot/node";
import { handle } from "./shop.mjs";

const { url } = await serve(handle, { port: Number(process.env.PORT) });
console.log(`Listening on ${url}`);
