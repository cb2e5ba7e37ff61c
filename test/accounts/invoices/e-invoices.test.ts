/** E-invoices that owners fetch keep the official rules of EN 16931, as `invoice.validate` judges them. */
import { expect, it } from "vitest";
import { invoiceValidate } from "../../../src/capabilities/invoice/validate.js";
import { BUYER, seller, shopWith, taxed } from "./shop.js";

const validOf = async (text: string) => {
  const [verdict] = (await invoiceValidate({ text })).items;
  return { valid: verdict?.valid, failed: verdict?.failed };
};

it.each(["ubl", "cii"])("writes an e-invoice as %s that keeps the official rules", async (format) => {
  const shop = shopWith();
  const { key, requestId } = await shop.buy("11.9");
  const by = shop.by(key);
  await by("POST", "/account/invoices", { buyer: BUYER });
  await shop.handle.refund({ requestId }, { usd: "5" });
  for (const number of ["INV-000001", "INV-000002"]) {
    const { status, body, headers } = await by("GET", `/account/invoice?number=${number}&format=${format}`);
    expect([status, headers.get("content-type")]).toEqual([200, "application/xml"]);
    expect(body).toContain("Käufer &amp; Co &lt;KG&gt;");
    expect(await validOf(body)).toEqual({ valid: true, failed: [] });
  }
});

it.each([
  ["nothing that is subject to VAT", { seller: { ...seller, registration: "HRB 1" } }],
  ["nothing subject to VAT, of a seller with a VAT identifier alone", { seller: taxed }],
  ["a zero rate", { seller: taxed, taxes: [{ percent: "0" }] }],
  ["an exemption", { seller: taxed, taxes: [{ percent: "0", category: "E", reason: "Small business" }] }],
  [
    "a tax number in place of a VAT identifier",
    { seller: { ...seller, taxNumber: "12/345" }, taxes: [{ percent: "7" }] },
  ],
] as const)("keeps the official rules for %s", async (_, invoices) => {
  const shop = shopWith(invoices);
  const { key } = await shop.buy("3.33");
  const by = shop.by(key);
  await by("POST", "/account/invoices", { buyer: { ...BUYER, vatId: "ATU12345678" } });
  for (const format of ["ubl", "cii"]) {
    const { body } = await by("GET", `/account/invoice?number=000001&format=${format}`);
    expect(await validOf(body), `${format} ${body}`).toEqual({ valid: true, failed: [] });
  }
});

it("keeps the rules for each price of a few cents, and one below a cent", async () => {
  const shop = shopWith();
  const { key } = await shop.buy("0.001");
  for (const cents of [1, 2, 3, 5, 7, 11, 13]) await shop.buy(`0.${String(cents).padStart(2, "0")}`);
  const by = shop.by(key);
  await by("POST", "/account/invoices", { buyer: BUYER });
  const { invoices } = (await by("GET", "/account/invoices")).body;
  expect(invoices[0]).toMatchObject({ usd: "0.001", totalUsd: "0.00", taxUsd: "0.00" });
  for (const { number } of invoices) {
    const { body } = await by("GET", `/account/invoice?number=${number}&format=ubl`);
    expect(await validOf(body), number).toEqual({ valid: true, failed: [] });
  }
});
