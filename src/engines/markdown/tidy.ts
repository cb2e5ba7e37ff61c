/** Markdown cannot mark blanks at the edge of what it marks: they move outside, and marks around nothing go. */
import type { Delete, Emphasis, Link, Nodes, PhrasingContent, Strong } from "mdast";

type Marked = Emphasis | Strong | Delete | Link;

export function tidy<Node extends Nodes>(node: Node): Node {
  if (!("children" in node)) return node;
  const children = (node.children as PhrasingContent[]).flatMap((child) => {
    const inner = tidy(child);
    return isMarked(inner) ? withBlanksOutside(inner) : [inner];
  });
  node.children = joinTexts(children) as typeof node.children;
  return node;
}

const isMarked = (node: Nodes): node is Marked => ["emphasis", "strong", "delete", "link"].includes(node.type);

function withBlanksOutside(node: Marked): PhrasingContent[] {
  const before = takeEdge(node, 0, /^[ \t\n]+/);
  const after = takeEdge(node, node.children.length - 1, /[ \t\n]+$/);
  // A link without a text still leads somewhere.
  const kept = node.children.length > 0 || (node.type === "link" && !before && !after) ? [node] : [];
  return [...blank(before), ...kept, ...blank(after)];
}

function takeEdge(node: Marked, at: number, pattern: RegExp): string {
  const edge = node.children[at];
  if (edge?.type !== "text") return "";
  const [blanks = ""] = pattern.exec(edge.value) ?? [];
  edge.value = edge.value.replace(pattern, "");
  if (edge.value === "") node.children.splice(at, 1);
  return blanks;
}

const blank = (value: string): PhrasingContent[] => (value ? [{ type: "text", value }] : []);

function joinTexts(nodes: PhrasingContent[]): PhrasingContent[] {
  const joined: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === "text" && last?.type === "text") last.value += node.value;
    else joined.push(node);
  }
  return joined;
}
