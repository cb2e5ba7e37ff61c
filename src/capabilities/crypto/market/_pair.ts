import { z } from "zod";

/** A market as base and quote, such as BTC-USD, in any case. `run` gets upper case. */
export const pair = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9]{2,10}-[A-Za-z0-9]{2,10}$/, {
      error: "must be two symbols with a hyphen between, such as BTC-USD",
    })
    .toUpperCase();
