/** Fields of a state's business register: one schema, whatever the state's names of columns. */
import { z } from "zod";
import { usStateNamed } from "../../lib/facts/us-states.js";

const label = () => z.string().nullable();

const address = () =>
  z.object({
    line1: label(),
    line2: label(),
    city: label(),
    state: label().describe("Postal code where it is a US state"),
    postalCode: label(),
    country: label(),
  });

export const registrationSchema = () =>
  z.object({
    state: z.enum(STATES),
    entityId: z.string(),
    accountNumber: label().describe("Connecticut's public business id"),
    name: z.string(),
    status: label().describe("In the state's words. New York lists active entities only"),
    statusNormalized: z.enum(["active", "inactive", "dissolved", "unknown"]),
    statusDate: label(),
    entityType: label().describe("In the state's words or code"),
    entityTypeLabel: label(),
    jurisdiction: label().describe("Where it was formed"),
    domestic: z.boolean().nullable().describe("Formed in this state"),
    formedDate: label(),
    county: label(),
    principalAddress: address().nullable(),
    mailingAddress: address().nullable(),
    registeredAgent: z
      .object({ name: z.string(), type: z.enum(["person", "organization"]).nullable(), address: address().nullable() })
      .nullable(),
    agentStatus: z
      .enum(["revoked", "resigned"])
      .nullable()
      .describe("Reason for a missing agent, if the register states one"),
    processAddress: address().extend({ name: label() }).nullable().describe("Where New York sends service of process"),
    officers: z.array(z.object({ name: z.string(), title: z.string(), address: address().nullable() })),
    url: z.string(),
  });
export type Registration = z.output<ReturnType<typeof registrationSchema>>;

export const STATES = ["NY", "CO", "CT"] as const;
export type RegistryState = (typeof STATES)[number];

type Address = z.output<ReturnType<typeof address>>;

/** An address of its parts; null if all are empty. The name of a US state becomes its postal code. */
export function toAddress(pieces: Partial<Address>): Address | null {
  const { line1 = null, line2 = null, city = null, state = null, postalCode = null, country = null } = pieces;
  const known = state === null ? undefined : usStateNamed(state);
  const address = { line1, line2, city, state: known?.postalCode ?? state, postalCode, country };
  return Object.values(address).some((piece) => piece !== null) ? address : null;
}

/** A day of a register; year 1 means none. */
export const realDay = (day: string | null): string | null => (day?.startsWith("0001-") ? null : day);
