/** Offers and receipts, checked with the official extension's own client. */
import { generateKeyPairSync } from "node:crypto";
import {
  decodeSignedOffers,
  type EIP712SignedOffer,
  type EIP712SignedReceipt,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  findAcceptsObjectFromSignedOffer,
  type JWSSignedOffer,
  type JWSSignedReceipt,
  verifyOfferSignatureEIP712,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureEIP712,
  verifyReceiptSignatureJWS,
} from "@x402/extensions/offer-receipt";
import type { PaymentRequired } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import type { SigningOptions } from "../../src/signing/options.js";
import { fakeClock } from "../support/clock.js";
import { openShop } from "../support/shop.js";
import { alice } from "../support/wallets.js";

const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as SigningOptions["key"];
const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const WORK = "/test/work?n=1";
// The official checks go by the system's clock.
const open = (key: SigningOptions["key"]) => openShop({ signing: { key }, clock: fakeClock(new Date().toISOString()) });
const requiredOf = (response: Response): PaymentRequired =>
  JSON.parse(Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString());

describe.each([
  ["an Ed25519 key", jwk, "jws"],
  ["an account", account, "eip712"],
] as const)("with %s", (_, key, format) => {
  it("the 402 holds a signed offer for each way to pay, in header and body", async () => {
    const response = await open(key).get(WORK);
    const required = requiredOf(response);
    const offers = extractOffersFromPaymentRequired(required);
    const [decoded] = decodeSignedOffers(offers);
    if (!decoded) throw new Error("no offer");
    expect(offers).toHaveLength(required.accepts.length);
    expect(decoded).toMatchObject({ format, resourceUrl: `http://shop.test/api${WORK}`, amount: "1000" });
    expect(findAcceptsObjectFromSignedOffer(decoded, required.accepts)).toEqual(required.accepts[0]);
    const verified =
      format === "jws"
        ? await verifyOfferSignatureJWS(decoded.signedOffer as JWSSignedOffer)
        : await verifyOfferSignatureEIP712(decoded.signedOffer as EIP712SignedOffer);
    expect(verified).toMatchObject(format === "jws" ? { amount: "1000" } : { signer: account.address });
    expect(await response.json()).toMatchObject({ extensions: { "offer-receipt": { info: { offers } } } });
  });

  it("a paid answer holds a receipt that matches the offer", async () => {
    const shop = open(key);
    const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(requiredOf(await shop.get(WORK))));
    const paid = await shop.pay(WORK, await shop.payFor(WORK));
    const receipt = extractReceiptFromResponse(paid);
    if (!receipt || !offer) throw new Error("nothing signed");
    expect(verifyReceiptMatchesOffer(receipt, offer, [alice.address])).toBe(true);
    const verified =
      format === "jws"
        ? await verifyReceiptSignatureJWS(receipt as JWSSignedReceipt)
        : await verifyReceiptSignatureEIP712(receipt as EIP712SignedReceipt);
    expect(verified).toBeTruthy();
  });
});

it("the header of every capability holds its offers, within what one that cannot be shorter may take", async () => {
  const shop = openShop({ capabilities, signing: { key: jwk } });
  for (const { id, method } of capabilities) {
    const request = new Request(`http://shop.test/api/${id.replace(".", "/")}`, { method });
    const response = await shop.handle(request);
    if (response.status !== 402) continue;
    expect(response.headers.get("payment-required")?.length, id).toBeLessThan(7168);
    expect(extractOffersFromPaymentRequired(requiredOf(response)), id).not.toEqual([]);
  }
});

it("without a key nothing is signed", async () => {
  expect(extractOffersFromPaymentRequired(requiredOf(await openShop().get(WORK)))).toEqual([]);
});
