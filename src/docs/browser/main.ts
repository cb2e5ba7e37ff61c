/**
 * The documentation page: the catalogue by group with a search, and a page for each endpoint, chosen by the address's
 * hash.
 */
import { type Endpoint, priceText, readCatalogue, search, settings } from "./api.js";
import { byId, h, put } from "./dom.js";
import { endpointView } from "./endpoint.js";

const main = byId("content");
const box = byId("search") as HTMLInputElement;
const title = document.title;
let endpoints: Endpoint[] = [];

function groupsOf(some: Endpoint[]): [string, Endpoint[]][] {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of some) groups.set(endpoint.group, [...(groups.get(endpoint.group) ?? []), endpoint]);
  return [...groups];
}

const card = ({ id, summary, price, available, reason, deprecated }: Endpoint) =>
  h(
    "li",
    { class: available && !deprecated ? "" : "pale" },
    h("a", { href: `#${id}` }, id),
    h("span", { class: "price" }, priceText(price)),
    h("p", {}, summary, !available && ` Not available: ${reason}`),
  );

function catalogueView(): HTMLElement {
  return h(
    "div",
    {},
    h("h1", { tabindex: -1 }, `${endpoints.length} endpoints`),
    h("p", { class: "lead" }, settings.description),
    h(
      "nav",
      { "aria-label": "Groups", class: "groups" },
      groupsOf(endpoints).map(([group, some]) =>
        h("a", { href: `#group-${group}` }, `${group} `, h("small", {}, some.length)),
      ),
    ),
    groupsOf(endpoints).map(([group, some]) =>
      h(
        "section",
        { "aria-labelledby": `group-${group}` },
        h("h2", { id: `group-${group}`, tabindex: -1 }, group),
        h("ul", { class: "cards" }, some.map(card)),
      ),
    ),
  );
}

function foundView(task: string, ids: string[]): HTMLElement {
  const found = ids.flatMap((id) => endpoints.filter((endpoint) => endpoint.id === id));
  return h(
    "div",
    {},
    h("h1", { tabindex: -1 }, found.length > 0 ? `${found.length} found for “${task}”` : `Nothing found for “${task}”`),
    h("ul", { class: "cards" }, found.map(card)),
  );
}

/** A late answer for a page that was left is dropped. */
let turn = 0;

async function show(make: () => Promise<HTMLElement> | HTMLElement, focus: boolean): Promise<void> {
  const mine = ++turn;
  main.setAttribute("aria-busy", "true");
  let view: HTMLElement;
  try {
    view = await make();
  } catch (error) {
    view = h("p", { class: "issue", role: "alert" }, error instanceof Error ? error.message : String(error));
  }
  if (mine !== turn) return;
  put(main, view);
  main.removeAttribute("aria-busy");
  if (focus) main.querySelector<HTMLElement>("h1")?.focus();
}

async function route(focus = true): Promise<void> {
  const hash = decodeURIComponent(location.hash.slice(1));
  const endpoint = endpoints.find(({ id }) => id === hash);
  document.title = endpoint ? `${endpoint.id} · ${title}` : title;
  if (endpoint) {
    await show(() => endpointView(endpoint), focus);
    window.scrollTo(0, 0);
    return;
  }
  box.value = "";
  const target = hash && document.getElementById(hash);
  if (!target) await show(catalogueView, focus && !hash);
  const heading = hash ? document.getElementById(hash) : null;
  heading?.scrollIntoView();
  heading?.focus();
}

let waiting: ReturnType<typeof setTimeout> | undefined;
box.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const task = box.value.trim();
    void show(async () => (task ? foundView(task, await search(task)) : catalogueView()), false);
  }, 150);
});
box.form?.addEventListener("submit", (event) => {
  event.preventDefault();
  main.querySelector<HTMLElement>("h1")?.focus();
});
window.addEventListener("hashchange", () => void route());

void (async () => {
  try {
    endpoints = await readCatalogue();
    await route(false);
  } catch {
    put(main, h("p", { class: "issue", role: "alert" }, "The catalogue could not be read. Load the page again."));
  }
})();
