/** Invoices and credit notes as files, and the particulars that they name. */
import { h, put } from "../shared/dom.js";
import { ask, asked, host, Refused } from "./ask.js";
import { save } from "./save.js";
import { button, dayOf, section, table, usd } from "./tables.js";

interface Row {
  number: string;
  kind: string;
  issuedAt: string;
  title: string;
  totalUsd: string;
}
interface Buyer {
  name?: string;
  lines?: string[];
  city?: string;
  postalCode?: string;
  country?: string;
  vatId?: string;
}
interface Part {
  buyer: Buyer | null;
  invoices: Row[];
  next?: string;
}

const FORMATS = [
  ["pdf", "PDF", "pdf"],
  ["ubl", "E-invoice", "xml"],
] as const;

/** Nothing where the host issues none, and for a key that may not see whose they are. */
export async function invoicesView(): Promise<HTMLElement | undefined> {
  if (!host.invoices) return undefined;
  const issue = h("p", { class: "issue", role: "alert" });
  const list = h("div");
  let shown: Row[] = [];

  const actionsOf = ({ number }: Row) =>
    h(
      "span",
      { class: "actions" },
      FORMATS.map(([format, text, end]) => {
        const one = button(text, issue, async () => {
          const answer = await asked("GET", `invoice?number=${encodeURIComponent(number)}&format=${format}`);
          save([await answer.blob()], answer.headers.get("content-type") ?? "", `${number}.${end}`);
        });
        one.setAttribute("aria-label", `${text} of ${number}`);
        return one;
      }),
    );

  async function show(after?: string): Promise<Buyer | null> {
    const part = await ask<Part>("GET", `invoices?limit=50${after === undefined ? "" : `&after=${after}`}`);
    shown = after === undefined ? part.invoices : [...shown, ...part.invoices];
    const rows = shown.map((row) => [
      row.number,
      ...[dayOf(row.issuedAt), row.kind === "invoice" ? row.title : `Credit note: ${row.title}`, usd(row.totalUsd)],
      actionsOf(row),
    ]);
    const { next } = part;
    const on = next !== undefined && button("Show more invoices", issue, async () => void (await show(next)));
    put(list, table("Invoices of the account", ["Number", "Date (UTC)", "For", "Total", "File"], rows), on);
    return part.buyer;
  }

  try {
    const buyer = await show();
    return section("invoices", "Invoices", list, issue, formOf(buyer, issue));
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return undefined;
    throw error;
  }
}

/** The particulars of the buyer: what invoices name that have none yet. */
function formOf(buyer: Buyer | null, issue: HTMLElement): HTMLElement {
  const input = (id: string, value: string | undefined, props: Record<string, string> = {}) =>
    h("input", { id: `buyer-${id}`, value: value ?? "", maxlength: "100", ...props });
  const name = input("name", buyer?.name, { maxlength: "200", autocomplete: "organization" });
  const street = input("street", buyer?.lines?.join(", "), { autocomplete: "street-address" });
  const city = input("city", buyer?.city, { autocomplete: "address-level2" });
  const code = input("code", buyer?.postalCode, { maxlength: "20", autocomplete: "postal-code" });
  const country = input("country", buyer?.country, { maxlength: "2", autocomplete: "country" });
  const vat = input("vat", buyer?.vatId, { maxlength: "20", autocomplete: "off" });
  const said = h("p", { role: "status" });
  const field = (text: string, one: HTMLInputElement) =>
    h("p", { class: "field" }, h("label", { for: one.id }, text), one);
  const given = (key: string, { value }: HTMLInputElement) => (value.trim() ? { [key]: value.trim() } : {});
  const send = async (body: object | null, text: string) => {
    said.textContent = "";
    await ask("POST", "invoices", { buyer: body });
    said.textContent = text;
  };
  const keep = button("Keep these", issue, () =>
    send(
      {
        ...{ name: name.value.trim(), country: country.value.trim() },
        ...(street.value.trim() ? { lines: [street.value.trim()] } : {}),
        ...{ ...given("city", city), ...given("postalCode", code), ...given("vatId", vat) },
      },
      "Kept for invoices that name nobody yet, and for those to come.",
    ),
  );
  const erase = button("Erase", issue, async () => {
    await send(null, "Erased. Invoices that name you keep it.");
    for (const one of [name, street, city, code, country, vat]) one.value = "";
  });
  return h(
    "details",
    {},
    h("summary", {}, "Your particulars on invoices"),
    field("Legal name", name),
    field("Street", street),
    field("City", city),
    field("Postal code", code),
    field("Country, in two letters", country),
    field("VAT identifier", vat),
    h("p", { class: "actions" }, keep, erase),
    said,
  );
}
