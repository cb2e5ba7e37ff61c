/** The record of a credit token, under the token's hash: it names the wallet's credit, and the part that the token spends. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";

const pointer = once(() =>
  z.object({
    payer: z.string(),
    /** Account of the host that owes it. */
    account: z.string(),
    /** Id of the wallet's credit. */
    wallet: z.string(),
    /** The part that the token spends. */
    lot: z.string(),
    /** False until the wallet has it. */
    issued: z.boolean(),
  }),
);
export type Pointer = z.infer<ReturnType<typeof pointer>>;

/** Undefined for no record, and for a record of an older release, which has the balance itself. */
export const readCreditPointer = (value: string | undefined): Pointer | undefined =>
  value === undefined ? undefined : pointer().safeParse(JSON.parse(value)).data;

/** To an instance of an older release it is credit that is used up. */
export const writePointer = (to: Pointer): string => JSON.stringify({ ...to, balance: "0", holds: {} });
