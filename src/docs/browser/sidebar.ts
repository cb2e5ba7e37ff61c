/** The sidebar: the endpoints by group, those opened last before them, and those that are unavailable folded at the end. */

import { recent } from "./form/memory.js";
import { type Endpoint, endpoints, settings } from "./shared/api.js";
import { byId, h, put } from "./shared/dom.js";

const nav = byId("sidebar");
const menu = byId("menu");

export const byGroup = (some: Endpoint[]): [string, Endpoint[]][] => {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of some) groups.set(endpoint.group, [...(groups.get(endpoint.group) ?? []), endpoint]);
  return [...groups];
};

export const availableOnes = endpoints.filter(({ available }) => available);
export const unavailableOnes = endpoints.filter(({ available }) => !available);

/** The endpoints that were opened last and still exist. */
export const recentOnes = (): Endpoint[] =>
  recent().flatMap((id) => endpoints.find((endpoint) => endpoint.id === id) ?? []);

const link = ({ id, summary }: Endpoint, text: string, current: string) =>
  h("li", {}, h("a", { href: `#${id}`, title: summary, "aria-current": id === current && "page" }, text));

function folded(title: string, some: Endpoint[], current: string, full: boolean): HTMLElement {
  const open = some.some(({ id }) => id === current);
  return h(
    "details",
    { open },
    h("summary", {}, title, " ", h("small", {}, some.length)),
    h(
      "ul",
      {},
      some.map((endpoint) => link(endpoint, full ? endpoint.id : endpoint.name, current)),
    ),
  );
}

/** Shows the list; groups that the reader opened stay open. */
export function showSidebar(current: string): void {
  const opened = new Set([...nav.querySelectorAll("details[open]")].map((one) => one.firstChild?.textContent));
  const last = recentOnes().filter(({ id }) => id !== current);
  put(
    nav,
    h("p", {}, h("a", { href: "#", "aria-current": current === "" && "page" }, "Overview")),
    last.length > 0 && [
      h("h2", {}, "Recently used"),
      h(
        "ul",
        {},
        last.map((endpoint) => link(endpoint, endpoint.id, current)),
      ),
    ],
    h("h2", {}, "Endpoints"),
    byGroup(availableOnes).map(([group, some]) => folded(group, some, current, false)),
    unavailableOnes.length > 0 && folded("Not available here", unavailableOnes, current, true),
  );
  for (const one of nav.querySelectorAll("details")) if (opened.has(one.firstChild?.textContent ?? "")) one.open = true;
  nav.querySelector("details [aria-current]")?.scrollIntoView({ block: "nearest", behavior: "instant" });
  fold();
}

const fold = (): void => setMenu(false);

function setMenu(open: boolean): void {
  menu.setAttribute("aria-expanded", String(open));
  nav.classList.toggle("open", open);
}

/** On a narrow screen the list is behind a button. */
export function startSidebar(): void {
  menu.addEventListener("click", () => setMenu(menu.getAttribute("aria-expanded") !== "true"));
  nav.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    fold();
    menu.focus();
  });
  nav.setAttribute("aria-label", `Endpoints of ${settings.name}`);
}
