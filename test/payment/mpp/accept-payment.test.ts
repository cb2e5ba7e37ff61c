import { expect, it } from "vitest";
import { preferred, readPreference } from "../../../src/payment/mpp/accept-payment.js";

const OFFERS = ["evm/charge", "solana/charge", "evm/session"].map((name) => {
  const [method = "", intent = ""] = name.split("/");
  return { method, intent };
});

it.each([
  ["evm/charge", "evm/charge"],
  ["solana/charge, evm/charge", "evm/charge solana/charge"],
  ["solana/charge, evm/charge;q=0.5", "solana/charge evm/charge"],
  ["evm/*;q=0.2, */charge;q=0.7", "solana/charge evm/charge evm/session"],
  ["*/*, evm/charge;q=0", "solana/charge evm/session"],
  ["*/charge;q=0, */*;q=0.1", "evm/session"],
  [" , evm/session\t;\tq=0.500 ,", "evm/session"],
  // The closest range counts, not the one that is liked most.
  ["evm/session;q=0.1, evm/*;q=0.9", "evm/charge evm/session"],
])("of %s, what is liked most comes first: %s", (header, names) => {
  const taken = preferred(OFFERS, readPreference(header)).map(({ method, intent }) => `${method}/${intent}`);
  expect(taken.join(" ")).toBe(names);
});

it.each(["", ",", "evm", "evm/charge;q=1.1", "evm/charge;q=0.1234", "evm/charge;v=1", "1/x", "a/b,".repeat(60)])(
  "%s is no wish",
  (header) => {
    expect(readPreference(header)).toBeUndefined();
    expect(preferred(OFFERS, readPreference(header))).toBe(OFFERS);
  },
);
