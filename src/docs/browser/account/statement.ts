/** The entries of some days, part by part, and as a file. */
import { h, put } from "../shared/dom.js";
import { ask, asked } from "./ask.js";
import { save } from "./save.js";
import { button, dayOf, section, table, usd } from "./tables.js";

interface Entry {
  id: string;
  kind: string;
  usd: string;
  at: string;
  endpoint?: string;
  reference?: string;
  note?: string;
}
interface Part {
  entries: Entry[];
  next?: string;
}

const FIRST_DAYS = 30;

export async function statementView(): Promise<HTMLElement> {
  const today = new Date();
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const from = h("input", { type: "date", id: "from", value: day(new Date(+today - FIRST_DAYS * 86_400_000)) });
  const to = h("input", { type: "date", id: "to", value: day(today) });
  const issue = h("p", { class: "issue", role: "alert" });
  const list = h("div");
  const span = () => `${from.value ? `&from=${from.value}` : ""}${to.value ? `&to=${to.value}` : ""}`;
  let shown: Entry[] = [];

  async function show(after?: string): Promise<void> {
    const more = after === undefined ? "" : `&after=${after}`;
    const { entries, next } = await ask<Part>("GET", `statement?limit=100${span()}${more}`);
    shown = after === undefined ? entries : [...shown, ...entries];
    const rows = shown.map((entry) => [
      ...[dayOf(entry.at), entry.kind, usd(entry.usd)],
      entry.endpoint ?? entry.note ?? entry.reference ?? "",
    ]);
    const on = next !== undefined && button("Show more", issue, () => show(next));
    put(list, table("Entries of the statement", ["Time (UTC)", "What", "Amount", "For"], rows), on);
  }

  /** All parts as one file, with one head. */
  async function download(): Promise<void> {
    const texts: string[] = [];
    for (let after = ""; ; ) {
      const response = await asked("GET", `statement?format=csv&limit=1000${span()}${after}`);
      const text = await response.text();
      texts.push(texts.length === 0 ? text : text.slice(text.indexOf("\r\n") + 2));
      const next = [...response.headers].find(([name]) => /^x-[a-z0-9-]+-next$/.test(name))?.[1];
      if (next === undefined) break;
      after = `&after=${next}`;
    }
    save(texts, "text/csv", `statement-${from.value}-${to.value}.csv`);
  }

  await show();
  return section(
    "statement",
    "Statement",
    h(
      "p",
      { class: "actions" },
      h("label", { for: "from" }, "From "),
      from,
      h("label", { for: "to" }, "to "),
      to,
      button("Show", issue, () => show()),
      button("Download CSV", issue, download),
    ),
    issue,
    list,
  );
}
