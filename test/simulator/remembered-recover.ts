/** The recovery of signers as the simulated service sees it: asked again and again for the same ones, it remembers. */
import {
  recoverAddress as recover,
  recoverOnChain as recoverBytes,
} from "../../src/payment/rails/evm/chain/recover.js";
import { remembered } from "./remembered.js";

export const recoverAddress: typeof recover = (hash, hex) =>
  remembered(`signer ${Buffer.from(hash).toString("hex")} ${hex}`, () => recover(hash, hex));

export const recoverOnChain: typeof recoverBytes = (hash, hex) =>
  remembered(`signer on chain ${Buffer.from(hash).toString("hex")} ${hex}`, () => recoverBytes(hash, hex));
