/** Keys of the account: made, rotated and revoked. A new one is shown once. */
import { copyButton } from "../copy.js";
import { h, put } from "../shared/dom.js";
import { ask, host } from "./ask.js";
import { button, dayOf, section, table } from "./tables.js";

interface Key {
  id: string;
  prefix: string;
  label?: string;
  limits?: { usdPerDay?: string; endpoints?: string[]; groups?: string[] };
  createdAt: string;
  lastUsedAt?: string;
  expiresAt?: string;
  revokedAt?: string;
}

const stateOf = ({ revokedAt, expiresAt }: Key): string => {
  if (revokedAt) return "revoked";
  if (!expiresAt) return "works";
  return Date.parse(expiresAt) > Date.now() ? `until ${dayOf(expiresAt)}` : "over";
};

const limitsOf = ({ limits = {} }: Key): string => {
  const { usdPerDay, endpoints = [], groups = [] } = limits;
  const names = [...endpoints, ...groups.map((group) => `${group}.*`)];
  const known = [usdPerDay ? `$${usdPerDay} a day` : "", names.join(", ")].filter(Boolean);
  return known.length > 0 ? known.join("; ") : Object.keys(limits).length > 0 ? "limits of its own" : "none";
};

export async function keysView(): Promise<HTMLElement> {
  const issue = h("p", { class: "issue", role: "alert" });
  const list = h("div");
  const news = h("div", { role: "status" });

  async function show(): Promise<void> {
    const { keys } = await ask<{ keys: Key[] }>("GET", "keys");
    const rows = keys.map((key) => [
      h("span", {}, h("code", {}, `${key.prefix}…`), key.label ? ` ${key.label}` : ""),
      ...[limitsOf(key), stateOf(key), key.lastUsedAt ? dayOf(key.lastUsedAt) : "never"],
      ["revoked", "over"].includes(stateOf(key)) ? "" : actionsOf(key),
    ]);
    put(list, table("Keys of the account", ["Key", "Limits", "State", "Last used", "Change"], rows));
  }

  const nameOf = ({ label, prefix }: Key) => label ?? prefix;
  const actionsOf = (key: Key) => {
    const rotate = button("Rotate", issue, () => make({ rotate: key.id, overlapSeconds: 3600 }));
    rotate.setAttribute("aria-label", `Rotate ${nameOf(key)}`);
    const revoke = button("Revoke", issue, async () => {
      await ask("DELETE", `keys?id=${encodeURIComponent(key.id)}`);
      put(news, h("p", {}, `The key ${nameOf(key)} is revoked.`));
      await show();
    });
    revoke.setAttribute("aria-label", `Revoke ${nameOf(key)}`);
    return h("span", { class: "actions" }, rotate, revoke);
  };

  async function make(body: object): Promise<void> {
    const { key } = await ask<{ key: string }>("POST", "keys", body);
    const shown = h("code", { class: "secret" }, key);
    const about =
      "rotate" in body
        ? "The new key, which is shown only now; the one before it works for another hour."
        : "The new key, which is shown only now.";
    put(
      news,
      h("p", {}, about),
      h(
        "p",
        {},
        shown,
        " ",
        copyButton("Copy", () => key),
      ),
    );
    await show();
  }

  await show();
  const parts = [section("keys", "Keys", list, news, issue)];
  if (host.accountKeys) parts[0]?.append(formOf(make, issue));
  return h("div", {}, parts);
}

/** A new key, with as much as it may do. */
function formOf(make: (body: object) => Promise<void>, issue: HTMLElement): HTMLElement {
  const input = (id: string, props: Record<string, string> = {}) => h("input", { id, autocomplete: "off", ...props });
  const label = input("key-label", { maxlength: "100" });
  const daily = input("key-daily", { inputmode: "decimal", placeholder: "no limit" });
  const scope = input("key-scope", { placeholder: "all", list: "groups" });
  const end = input("key-end", { type: "date" });
  const field = (id: string, text: string, one: HTMLElement) =>
    h("p", { class: "field" }, h("label", { for: id }, text), one);
  const submit = button("Make a key", issue, async () => {
    const names = scope.value.split(/[\s,]+/).filter(Boolean);
    const endpoints = names.filter((name) => name.includes("."));
    const groups = names.filter((name) => !name.includes("."));
    const limits = {
      ...(daily.value.trim() ? { usdPerDay: daily.value.trim() } : {}),
      ...(endpoints.length > 0 ? { endpoints } : {}),
      ...(groups.length > 0 ? { groups } : {}),
    };
    await make({
      ...(label.value.trim() ? { label: label.value.trim() } : {}),
      ...(Object.keys(limits).length > 0 ? { limits } : {}),
      ...(end.value ? { expiresAt: `${end.value}T23:59:59Z` } : {}),
    });
  });
  return h(
    "details",
    {},
    h("summary", {}, "Make a key"),
    field("key-label", "Name", label),
    field("key-daily", "US dollars a day", daily),
    field("key-scope", "Endpoints or groups, with commas between them", scope),
    h(
      "datalist",
      { id: "groups" },
      host.groups.map((group) => h("option", { value: group })),
    ),
    field("key-end", "Last day (UTC)", end),
    submit,
  );
}
