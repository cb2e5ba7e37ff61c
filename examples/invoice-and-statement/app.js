// An e-invoice, validated by the official rules, and booked beside the payment that the bank's statement has of it.
import { pathToFileURL } from "node:url";
import { bankStatement } from "coinslot/capabilities/bank";
import { invoiceRead, invoiceValidate } from "coinslot/capabilities/invoice";

const only = async (call) => (await call).items[0];

/** The booking of an incoming invoice; of what breaks a rule or does not add up nothing is booked. */
export async function book({ invoice, statement }) {
  const { findings } = await only(invoiceValidate({ text: invoice }));
  const { number, seller, vat, totals, checks } = await only(invoiceRead({ text: invoice }));
  const { statements, notes } = await only(bankStatement({ text: statement }));
  const problems = [
    ...findings.filter(({ flag }) => flag === "fatal").map(({ text }) => text),
    ...checks.map(({ field, stated, computed }) => `${field} is ${stated}, but should be ${computed}`),
    ...notes,
  ];
  if (problems.length > 0) return { booked: false, problems };

  // The entry that pays it has its amount, and its number in the purpose or a reference.
  const names = (entry) =>
    [entry.purpose, entry.endToEndId, entry.customerReference].some((text) => text?.includes(number));
  const entries = statements.flatMap((one) => one.entries);
  const payment = entries.find((entry) => entry.amount === `-${totals.payable}` && names(entry));
  return {
    booked: true,
    problems,
    invoice: { number, from: seller.name },
    lines: vat.map(({ rate, base, amount }) => ({ account: `expenses at ${rate} %`, net: base, vat: amount })),
    paid: payment ? { on: payment.bookingDate, amount: payment.amount } : null,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const entry = ":61:2602270227D119,00NTRFNONREF\n:86:177?20EREF+R-100?21SVWZ+Rechnung R-100?32Tea Trade GmbH";
  const statement = `:20:1\n:25:10020030/1234567\n:60F:C260227EUR1200,00\n${entry}\n:62F:C260227EUR1081,00`;
  console.dir(await book({ invoice: invoiceRead.example.text, statement }), { depth: 4 });
}
