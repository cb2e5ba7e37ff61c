/** Figures in the answers of models: numbers in a range, whatever the model writes. */
import { z } from "zod";

const within = (min: number, max: number) =>
  z
    .number()
    .nullable()
    .transform((value) => (value === null ? null : Math.min(max, Math.max(min, value))));

/** From 0 to 1. */
export const share = () => within(0, 1).describe("From 0 to 1");

/** From -1 to 1. */
export const polarity = () => within(-1, 1).describe("From -1 to 1");
