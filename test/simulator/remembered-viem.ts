/** viem as the simulated service sees it: only the recovery of signers, which it asks for again and again, is remembered. */
import { recoverTypedDataAddress as recover } from "viem/utils";
import { remembered } from "./remembered.js";

export * from "viem/utils";

export const recoverTypedDataAddress: typeof recover = (data) => {
  const { domain, message, signature } = data as { domain: object; message: object; signature: string };
  const plain = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}` : value);
  return remembered(`signer ${JSON.stringify([domain, message, signature], plain)}`, () => recover(data));
};
