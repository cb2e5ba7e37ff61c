/** The documentation page: a front page, and a page for each endpoint, chosen by the address's hash. */

import { endpointView } from "./endpoint.js";
import { noteRecent } from "./form/memory.js";
import { overview } from "./overview.js";
import { startSearch } from "./search.js";
import { endpoints } from "./shared/api.js";
import { byId, h, put } from "./shared/dom.js";
import { showSidebar, startSidebar } from "./sidebar.js";

const main = byId("content");
const title = document.title;

/** A late answer for a page that was left is dropped. */
let turn = 0;
let shown: string | undefined;

async function show(id: string, focus: boolean): Promise<void> {
  const mine = ++turn;
  const endpoint = endpoints.find((one) => one.id === id);
  main.setAttribute("aria-busy", "true");
  const view = await Promise.resolve(endpoint ? endpointView(endpoint) : overview()).catch((error: unknown) =>
    h("p", { class: "issue", role: "alert" }, `${error instanceof Error ? error.message : error} Load the page again.`),
  );
  if (mine !== turn) return;
  put(main, view);
  main.removeAttribute("aria-busy");
  shown = endpoint?.id ?? "";
  document.title = endpoint ? `${endpoint.id} · ${title}` : title;
  if (endpoint) noteRecent(endpoint.id);
  showSidebar(shown);
  window.scrollTo(0, 0);
  if (focus) main.querySelector<HTMLElement>("h1")?.focus();
}

/** `#id` is an endpoint; any other hash is a place on the page that is shown, or else on the front page. */
async function route(focus: boolean): Promise<void> {
  const hash = decodeURIComponent(location.hash.slice(1));
  const isEndpoint = endpoints.some(({ id }) => id === hash);
  const place = isEndpoint || hash === "" ? null : document.getElementById(hash);
  if (!place && shown !== (isEndpoint ? hash : "")) await show(isEndpoint ? hash : "", focus);
  if (isEndpoint || hash === "") return;
  const heading = document.getElementById(hash);
  heading?.scrollIntoView();
  heading?.focus();
}

window.addEventListener("hashchange", () => void route(true));
startSidebar();
startSearch();
showSidebar("");
void route(false);
