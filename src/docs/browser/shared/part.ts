/** Interface and texts of every part of a form. */
import type { Field } from "./api.js";
import { h } from "./dom.js";

export interface Issue {
  path: string;
  message: string;
}

export interface Part {
  element: HTMLElement;
  /** Its value; undefined if it is left out. Throws an Error that names the field. */
  read(): unknown;
  /** Shows the service's complaints at the fields. */
  complain(issues: Issue[]): void;
}

export function textsOf({ name, description }: Field, id: string, facts: string[]) {
  const issue = h("p", { class: "issue", id: `${id}-issue`, role: "alert" });
  return {
    label: h("code", {}, name),
    kind: h("span", { class: "kind", id: `${id}-kind` }, facts.join(" · ")),
    about: h("p", { class: "about", id: `${id}-about` }, description),
    issue,
    complain(found: Issue[]): boolean {
      issue.textContent = found.map(({ message }) => message).join("; ");
      return found.length > 0;
    },
  };
}
