// An order arrives as EDIFACT: its parties are checked, and the answer, the label and the payment code are written.
import { pathToFileURL } from "node:url";
import { addressFormat } from "coinslot/capabilities/address";
import { ediEdifact, ediParse } from "coinslot/capabilities/edi";
import { paymentQr } from "coinslot/capabilities/payment";
import { faultsOf } from "./buyer.js";

const only = ({ items: [item] }) => item;

/** The order's number, the answer to it in EDIFACT, the lines of the label, and the text of the payment code. */
export async function accept(text, { buyer, seller, amount }) {
  const [order] = only(await ediParse({ text })).interchanges;
  const [{ segments }] = order.groups[0].transactions;
  const number = segments.find(({ tag }) => tag === "BGM").elements[1];
  const answered = { type: "ORDRSP", version: "D.96A", segments: [{ tag: "BGM", elements: ["231", number] }] };
  const { sender: receiver, receiver: sender, control } = order;
  const envelope = { sender, receiver, control, date: "2026-11-24", time: "08:00", messages: [answered] };
  const { text: response } = only(await ediEdifact({ operation: "write", interchanges: [envelope] }));
  const { lines } = only(await addressFormat(buyer.address));
  const payment = { scheme: "epc", iban: seller.iban, creditor: { name: seller.name }, amount, message: number };
  return { number, response, label: lines, payment: only(await paymentQr(payment)).text };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const text =
    "UNB+UNOC:3+5412345000013:14+8798765432106:14+261123:0930+42'UNH+1+ORDERS:D:96A:UN'BGM+220+A1'UNS+S'UNT+4+1'UNZ+1+42'";
  const address = { country: "DE", name: "Tea Shop", street: ["Hauptstr. 1"], postalCode: "10115", city: "Berlin" };
  const numbers = { gln: "5412345000013", vatId: "DE136695976", country: "DE", iban: "DE89370400440532013000" };
  const buyer = { ...numbers, email: "orders@tea.example", phone: "030 901820", address };
  console.log(await faultsOf(buyer), await faultsOf({ ...buyer, gln: "5412345000014" }));
  const seller = { name: "Tea Trade GmbH", iban: "DE89370400440532013000" };
  console.log(await accept(text, { buyer, seller, amount: "119.00" }));
}
