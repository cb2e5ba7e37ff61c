/** Builds elements from text and elements only: nothing on the page is parsed as HTML. */
export type Child = Node | string | number | null | undefined | false | Child[];
type Props = Record<string, string | number | boolean | undefined | ((event: never) => unknown)>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), props, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/** Replaces the content of an element. */
export function put(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

function fill<T extends Element>(element: T, props: Props, children: Child[]): T {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

function append(element: Element, children: Child[]): void {
  for (const child of children)
    if (Array.isArray(child)) append(element, child);
    else if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element;
}
