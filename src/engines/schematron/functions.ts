/** XPath with the functions that rules need beyond it, and the work that a run may take. */
import { CapabilityError, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";
import type { DocumentIndex } from "./index-of.js";
import { EXACT, remainder } from "./remainders.js";
import { importXpath } from "./xpath-library.js";

/** The document that is judged: a run has no pauses in which another could begin. */
const read: { index: DocumentIndex | undefined; given: number; left: number } = { index: undefined, given: 0, left: 0 };

/** Nodes that expressions look at, and the expressions themselves, each for as many. A thousand lines need a third. */
const MAX_WORK = 10_000_000;
const WORK_OF_TEST = 20;

/** False when there was too much: an expression then sees no more nodes, and `assertWork` ends the run. */
export function mayLookAt(nodes: number): boolean {
  read.left -= nodes;
  return read.left >= 0;
}

function counted<One>(found: One[] = []): One[] {
  return mayLookAt(found.length) ? found : [];
}

/** Throws RESULT_TOO_LARGE when expressions have looked at too much, which may have made their answers wrong. */
export function assertWork(nodes = WORK_OF_TEST): void {
  // guard: offline: rules of invoices look at so many nodes | always | work
  if (mayLookAt(nodes)) return;
  const message =
    "has too many parts that the rules compare with one another: send fewer lines, allowances or attachments";
  throw new CapabilityError("RESULT_TOO_LARGE", message, { issues: [{ path: "", message }] });
}

/** Begins a run over a document. */
export function judgeFrom(index: DocumentIndex, maxWork = MAX_WORK): void {
  Object.assign(read, { index, given: maxWork, left: maxWork });
}

/** Work of the last run, by which documents of different sizes are compared without a clock. */
export const workDone = (): number => read.given - read.left;

const library = lazy(() => importXpath(without("fontoxpath")).then(named));

/** XPath with the functions that rules need beyond it. */
export const xpath = lazy(async () => {
  const found = await library();
  const name = { namespaceURI: EXACT, localName: "remainder" };
  found.registerCustomXPathFunction(name, ["xs:string", "xs:integer"], "xs:integer", (_, text: string, by: number) =>
    remainder(text, by),
  );
  const elements = { namespaceURI: EXACT, localName: "elements" };
  found.registerCustomXPathFunction(
    elements,
    ["xs:string", "xs:string"],
    "element()*",
    // guard: offline: rules of invoices count the elements that they look up | without counted | work
    (_, of: string, local: string) => counted(read.index?.named(of, local)),
  );
  const attributes = { namespaceURI: EXACT, localName: "attributes" };
  // guard: offline: rules of invoices count the attributes that they look up | without counted | work
  found.registerCustomXPathFunction(attributes, ["xs:string"], "attribute()*", (_, local: string) =>
    counted(read.index?.attributes(local)),
  );
  return found;
});
