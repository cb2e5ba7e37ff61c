/** Numbers within a range in models' answers. A model that writes others is asked again. */
import { z } from "zod";

// guard: a score of a model that is out of range is refused | && -> || | structured council
const within = (min: number, max: number) =>
  z.number().refine((value) => value >= min && value <= max, { error: `must be from ${min} to ${max}` });

/** From 0 to 1. */
export const score = () => within(0, 1).describe("From 0 to 1");

/** From 0 to 1, or null where the model cannot tell. */
export const share = () => within(0, 1).nullable().describe("From 0 to 1");

/** From -1 to 1, or null where the model cannot tell. */
export const polarity = () => within(-1, 1).nullable().describe("From -1 to 1");
