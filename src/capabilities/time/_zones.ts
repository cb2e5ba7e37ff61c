import { z } from "zod";
import { text } from "../../capability/fields.js";
import { isZoneOrOffset } from "../../engines/time/local-time.js";

/** Zones divided by commas; trusted code may pass a list. `run` gets an array without duplicates. */
export const zones = (max: number) => {
  const schema = text(1, 64 * max)
    .transform((list) => [...new Set(list.split(",").map((name) => name.trim()))])
    .refine((names) => names.length <= max && names.every(isZoneOrOffset), {
      error: `must be 1 to ${max} IANA time zones such as Europe/Berlin, or offsets such as +02:00, divided by commas`,
    });
  const joined = (given: unknown) => (Array.isArray(given) ? given.join(",") : given);
  return z.preprocess(joined, schema) as unknown as z.ZodType<string[], string | string[]>;
};
