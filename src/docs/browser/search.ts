/** The search in the header: `/` gets there, arrow keys choose, Enter opens, Escape closes. */
import { type Endpoint, endpoints, type Hit, priceText, search } from "./shared/api.js";
import { byId, h, put } from "./shared/dom.js";

const MAX_FOUND = 10;
/** A hit that is this much worse than the best one is about something else. */
const CUT_OFF = 0.35;
const PAUSE_MS = 120;

const box = byId("search") as HTMLInputElement;
const list = byId("found");
const said = byId("said");

let found: Endpoint[] = [];
let at = -1;
/** A late answer to earlier words is dropped. */
let turn = 0;

/** Hits that are about as good as the best, and those whose id was typed before all others. */
function chosenOf(typed: string, hits: Hit[]): string[] {
  const best = hits[0]?.score ?? 0;
  const good = hits.filter(({ score }) => score >= best * CUT_OFF).map(({ id }) => id);
  const named = typed.length > 1 ? endpoints.filter(({ id }) => id.startsWith(typed.toLowerCase())) : [];
  return [...new Set([...named.map(({ id }) => id), ...good])].slice(0, MAX_FOUND);
}

function option(endpoint: Endpoint, i: number): HTMLElement {
  const { id, summary, price, available } = endpoint;
  return h(
    "li",
    {
      role: "option",
      id: `found-${i}`,
      "aria-selected": "false",
      class: available ? "" : "pale",
      // A mouse button that goes down would take the focus before the click.
      onmousedown: (event: Event) => event.preventDefault(),
      onclick: () => open(endpoint),
    },
    h("strong", {}, id),
    h("span", { class: "price" }, available ? priceText(price) : "not available"),
    h("span", { class: "about" }, summary),
  );
}

function show(some: Endpoint[], typed: string): void {
  found = some;
  put(list, some.map(option));
  const nothing = some.length === 0 && typed !== "";
  if (nothing)
    put(
      list,
      h("li", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, `Nothing found for “${typed}”.`),
    );
  toggle(typed !== "");
  put(said, typed && (nothing ? `Nothing found for ${typed}` : `${some.length} found. Arrow keys choose.`));
  choose(some.length > 0 ? 0 : -1);
}

function toggle(open: boolean): void {
  list.hidden = !open;
  box.setAttribute("aria-expanded", String(open));
  if (!open) choose(-1);
}

function choose(next: number): void {
  at = next;
  [...list.children].forEach((child, i) => {
    child.setAttribute("aria-selected", String(i === at));
  });
  if (at < 0) box.removeAttribute("aria-activedescendant");
  else box.setAttribute("aria-activedescendant", `found-${at}`);
  list.children[at]?.scrollIntoView({ block: "nearest", behavior: "instant" });
}

function open({ id }: Endpoint): void {
  toggle(false);
  box.value = "";
  location.hash = id;
}

async function ask(): Promise<void> {
  const mine = ++turn;
  const typed = box.value.trim();
  const hits = typed ? await search(typed).catch(() => []) : [];
  if (mine !== turn) return;
  show(
    chosenOf(typed, hits).flatMap((id) => endpoints.find((endpoint) => endpoint.id === id) ?? []),
    typed,
  );
}

const KEYS: Record<string, () => void> = {
  ArrowDown: () => found.length > 0 && (list.hidden ? toggle(true) : choose((at + 1) % found.length)),
  ArrowUp: () => found.length > 0 && choose((at - 1 + found.length) % found.length),
  Enter() {
    const chosen = found[at];
    if (chosen && !list.hidden) open(chosen);
  },
  Escape: () => toggle(false),
};

/** Whether a key that is typed there is text. */
const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function startSearch(): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void ask(), PAUSE_MS);
  });
  box.addEventListener("keydown", (event) => {
    const act = KEYS[event.key];
    if (!act || event.isComposing) return;
    event.preventDefault();
    act();
  });
  box.addEventListener("blur", () => toggle(false));
  box.form?.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
}
