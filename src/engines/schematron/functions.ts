/** XPath with the functions that rules need beyond it, and the work that a run may take. */
import { CapabilityError, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";
import type { DocumentIndex } from "./index-of.js";
import { EXACT, remainder } from "./remainders.js";
import { importXpath } from "./xpath-library.js";

/** The document that is judged: a run has no pauses in which another could begin. */
const read: { index: DocumentIndex | undefined; work: number } = { index: undefined, work: 0 };

/** Elements that expressions are given, and the expressions themselves, each for as many. A thousand lines need half. */
const MAX_WORK = 6_000_000;
const WORK_OF_TEST = 20;

/** Nothing when there was too much: the next test ends the run. */
function counted<One>(found: One[] = []): One[] {
  read.work += found.length;
  return read.work > MAX_WORK ? [] : found;
}

export function countTest(): void {
  read.work += WORK_OF_TEST;
  if (read.work <= MAX_WORK) return;
  const message =
    "has too many parts that the rules compare with one another: send fewer lines, allowances or attachments";
  throw new CapabilityError("RESULT_TOO_LARGE", message, { issues: [{ path: "", message }] });
}

/** Begins a run over a document. */
export function judgeFrom(index: DocumentIndex): void {
  Object.assign(read, { index, work: 0 });
}

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
    (_, of: string, local: string) => read.index?.named(of, local),
  );
  const attributes = { namespaceURI: EXACT, localName: "attributes" };
  found.registerCustomXPathFunction(attributes, ["xs:string"], "attribute()*", (_, local: string) =>
    counted(read.index?.attributes(local)),
  );
  return found;
});
