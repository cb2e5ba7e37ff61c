/**
 * Takes out of a page what it hides from those who look at it: instructions to models are written there. What a script or a sheet
 * of another address would hide or show is not known.
 */
import type { Element, ElementContent, Nodes, Root } from "hast";
import { type Inherited, insideOf, isGone, isTextShown, PAGE } from "./shown.js";
import { Ancestors, Styles } from "./styles.js";

export interface Hidden {
  /** Elements with text that is not shown. */
  blocks: number;
  /** Characters without a sign of their own, that readers do not see. */
  characters: number;
}

/** Changes the tree. */
export function removeHidden(tree: Root): Hidden {
  const hidden: Hidden = { blocks: 0, characters: 0 };
  const walk = new Walk(new Styles(tree), hidden);
  walk.inside(tree, PAGE);
  return hidden;
}

/** Notes of a document about the parts that were left out. */
export const hiddenNote = ({ blocks, characters }: Hidden): string[] => [
  ...(blocks > 0 ? [`${blocks} parts that it hides from readers are left out`] : []),
  ...(characters > 0 ? [`${characters} characters that nobody sees are left out`] : []),
];

/** Their texts are no text of the page. */
const NO_TEXT = new Set(["script", "style", "title", "textarea"]);
/** Pages hide all of themselves until a script has run. */
const WHOLE = new Set(["html", "body"]);

class Walk {
  readonly #styles: Styles;
  readonly #hidden: Hidden;
  readonly #ancestors = new Ancestors();

  constructor(styles: Styles, hidden: Hidden) {
    this.#styles = styles;
    this.#hidden = hidden;
  }

  inside(parent: Root | Element, inherited: Inherited): void {
    const kept = (parent.children as ElementContent[]).filter((child) => this.#keeps(child, inherited));
    if (kept.length < parent.children.length) {
      const isWhole = (parent.children as ElementContent[]).some(
        (child) => child.type === "text" && isWritten(child.value),
      );
      if (isWhole && !kept.some((child) => child.type === "text") && !isTextShown(inherited)) this.#hidden.blocks++;
      parent.children = kept as never;
    }
  }

  #keeps(node: ElementContent, inherited: Inherited): boolean {
    if (node.type === "text") {
      if (!isTextShown(inherited)) return !isWritten(node.value);
      node.value = this.#visible(node.value);
      return true;
    }
    if (node.type !== "element" || NO_TEXT.has(node.tagName)) return true;
    const style = this.#styles.of(node, this.#ancestors);
    const isWhole = WHOLE.has(node.tagName);
    if (!isWhole && isGone(node, style)) {
      if (holdsText(node)) this.#hidden.blocks++;
      return false;
    }
    const inner = insideOf(inherited, node, style);
    this.#ancestors.enter(node);
    this.inside(node, isWhole ? { ...inner, isVisible: true } : inner);
    this.#ancestors.leave();
    return true;
  }

  #visible(text: string): string {
    return text.replace(UNSEEN, (signs, flag: string | undefined) => flag ?? this.#count(signs));
  }

  #count(signs: string): string {
    this.#hidden.characters += [...signs].length;
    return "";
  }
}

/**
 * Blanks without width, signs that turn the direction of text, and the letters of tags, but for those of a flag. Joiners make
 * letters and pictures, and stay, and so do single selectors of variants.
 */
const UNSEEN =
  /(\u{1F3F4}[\u{E0020}-\u{E007E}]{1,12}\u{E007F})|[\u00AD\u180E\u200B\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]+|(?<=[\uFE00-\uFE0F\u{E0100}-\u{E01EF}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]+/gu;

const isWritten = (text: string): boolean => text.replace(UNSEEN, "").trim() !== "";

function holdsText(node: Nodes): boolean {
  if (node.type === "text") return isWritten(node.value);
  if (node.type === "element" && node.tagName === "template" && node.content) return holdsText(node.content);
  return "children" in node && node.children.some((child) => holdsText(child));
}
