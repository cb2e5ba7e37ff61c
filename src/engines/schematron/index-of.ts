/** The elements of a document by their names, and where each of them stands. */
import type { Attr, Document, Element, Node } from "slimdom";

export class DocumentIndex {
  readonly #byName = new Map<string, Element[]>();
  readonly #attributes = new Map<string, Attr[]>();
  readonly #paths = new Map<Element, string>();
  readonly elements: Element[] = [];

  constructor(document: Document) {
    // In the order of the document, without recursion.
    let node: Node | null = document.documentElement;
    while (node) {
      if (isElement(node)) this.#add(node);
      node = node.firstChild ?? nextOf(node, document);
    }
  }

  /** Elements of a name in a namespace; `*` for all. */
  named(namespace: string | null, name: string): Element[] {
    if (name === "*" && namespace === null) return this.elements;
    if (name === "*") return this.elements.filter((element) => element.namespaceURI === namespace);
    return this.#byName.get(`${namespace ?? ""} ${name}`) ?? [];
  }

  /** Attributes of a name in no namespace. */
  attributes(name: string): Attr[] {
    return this.#attributes.get(name) ?? [];
  }

  /** Names from the root to the element, the same for all elements at this place of the tree. */
  pathOf(element: Element): string {
    return this.#paths.get(element) ?? "";
  }

  #add(element: Element): void {
    const name = `${element.namespaceURI ?? ""} ${element.localName}`;
    this.elements.push(element);
    push(this.#byName, name, element);
    for (const attribute of element.attributes)
      if (attribute.namespaceURI === null) push(this.#attributes, attribute.localName, attribute);
    const parent = element.parentElement;
    this.#paths.set(element, `${parent ? this.pathOf(parent) : ""}/${name}`);
  }
}

function push<One>(lists: Map<string, One[]>, name: string, one: One): void {
  const list = lists.get(name);
  if (list) list.push(one);
  else lists.set(name, [one]);
}

const isElement = (node: Node): node is Element => node.nodeType === 1;

function nextOf(node: Node, document: Document): Node | null {
  let left: Node | null = node;
  while (left && left !== document && !left.nextSibling) left = left.parentNode;
  return left === document ? null : (left?.nextSibling ?? null);
}

/** The place of an element as XPath, such as `/Invoice/cac:InvoiceLine[2]`. */
export function placeOf(element: Element): string {
  const steps: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    const { nodeName, parentElement } = at;
    const alike: Element[] = parentElement?.children.filter((one) => one.nodeName === nodeName) ?? [at];
    steps.unshift(alike.length > 1 ? `${nodeName}[${alike.indexOf(at) + 1}]` : nodeName);
  }
  return `/${steps.join("/")}`;
}
