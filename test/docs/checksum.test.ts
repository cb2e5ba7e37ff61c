/** The page's own checksum of addresses is that of Ethereum's libraries. */
import { getAddress } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect, it } from "vitest";
import { checksummed } from "../../src/docs/browser/wallets/checksum.js";

it("writes addresses as viem does", () => {
  for (let i = 0; i < 50; i++) {
    const address = privateKeyToAddress(generatePrivateKey());
    expect(checksummed(address.toLowerCase())).toBe(getAddress(address));
  }
});
