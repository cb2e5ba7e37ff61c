/** How XPath sees a document: children by name are looked up, and blanks between elements are none. */
import type { Attr, Element, Node } from "slimdom";
import { mayLookAt } from "./functions.js";
import type { DomFacade } from "./xpath-library.js";

interface Children {
  all: Node[];
  byBucket: Map<string, Node[]>;
}

/** XPath looks for one of all children where it sorts, a thousand times faster than it looks at each. */
const SEARCHED = 1 / 1_024;
const ELEMENT = 1;
const TEXT = 3;

type Found = ReturnType<DomFacade["getChildNodes"]>;

export class Facade implements DomFacade {
  readonly #children = new WeakMap<Node, Children>();

  getAllAttributes(node: never, bucket?: string | null): never[] {
    const { attributes } = node as Element;
    const name = nameIn(bucket);
    return (name === undefined ? attributes : attributes.filter((one) => one.localName === name)) as never[];
  }

  getAttribute(node: never, name: string): string | null {
    return (node as Element).getAttribute(name);
  }

  getChildNodes(node: never, bucket?: string | null): Found {
    const found = this.#named(node as Node, nameIn(bucket));
    return (mayLookAt(1 + found.length * SEARCHED) ? found : []) as unknown as Found;
  }

  getData(node: never): string {
    const { nodeType } = node as Node;
    return nodeType === 2 ? (node as Attr).value : ((node as { data?: string }).data ?? "");
  }

  getFirstChild(node: never, bucket?: string | null): never {
    return (mayLookAt(1) ? (this.#named(node, nameIn(bucket))[0] ?? null) : null) as never;
  }

  getLastChild(node: never, bucket?: string | null): never {
    return (mayLookAt(1) ? (this.#named(node, nameIn(bucket)).at(-1) ?? null) : null) as never;
  }

  getNextSibling(node: never, bucket?: string | null): never {
    return this.#beside(node as Node, 1, bucket) as never;
  }

  getPreviousSibling(node: never, bucket?: string | null): never {
    return this.#beside(node as Node, -1, bucket) as never;
  }

  getParentNode(node: never): never {
    const of = node as Node;
    return (of.nodeType === 2 ? (of as Attr).ownerElement : of.parentNode) as never;
  }

  #beside(node: Node, step: 1 | -1, bucket?: string | null): Node | null {
    const name = nameIn(bucket);
    const isWanted = (one: Node) =>
      !isBlank(one) && (name === undefined || (one.nodeType === ELEMENT && (one as Element).localName === name));
    const next = (one: Node) => (step > 0 ? one.nextSibling : one.previousSibling);
    let found = next(node);
    // guard: offline: rules of invoices count the siblings that they pass | without mayLookAt | work
    while (found && mayLookAt(1) && !isWanted(found)) found = next(found);
    return mayLookAt(0) ? found : null;
  }

  #named(node: Node, name: string | undefined): Node[] {
    const { all, byBucket } = this.#of(node);
    if (name === undefined) return all;
    const known = byBucket.get(name);
    if (known) return known;
    const found = all.filter((child) => child.nodeType === ELEMENT && (child as Element).localName === name);
    byBucket.set(name, found);
    return found;
  }

  #of(node: Node): Children {
    const known = this.#children.get(node);
    if (known) return known;
    const hasElements = node.childNodes.some(({ nodeType }) => nodeType === ELEMENT);
    const all = hasElements ? node.childNodes.filter((child) => !isBlank(child)) : node.childNodes;
    const children = { all, byBucket: new Map() };
    this.#children.set(node, children);
    return children;
  }
}

/** The name that a bucket asks for; undefined for one of kinds of nodes, which XPath looks at again. */
const nameIn = (bucket: string | null | undefined): string | undefined =>
  bucket?.startsWith("name-") ? bucket.slice("name-".length) : undefined;

/** Blanks beside elements; a text that stands alone is a value. */
const isBlank = (node: Node): boolean =>
  node.nodeType === TEXT &&
  (node.previousSibling !== null || node.nextSibling !== null) &&
  !/[^ \t\r\n]/.test((node as { data?: string }).data ?? "");
