/** Content for browsers without scripts: those that have them take it for text, and show it nowhere. */

const OPENING = /<!--|<(script|style|textarea|title|xmp|iframe|noembed|noframes|noscript)(?=[\s>/])[^<>]*>?/gi;

/**
 * The page with a template in place of each `noscript`, whose content is text there: the parser would read it as elements, and
 * put some of them where they are shown. One pass: each search goes on where the one before ended.
 */
export function withoutNoscript(html: string): string {
  if (!/<noscript/i.test(html)) return html;
  let [written, from] = ["", 0];
  OPENING.lastIndex = 0;
  for (let opening = OPENING.exec(html); opening; opening = OPENING.exec(html)) {
    const name = opening[1]?.toLowerCase();
    const inner = OPENING.lastIndex;
    const closing = name === undefined ? /-->/g : new RegExp(`</${name}(?=[\\s>/])[^<>]*>?`, "gi");
    closing.lastIndex = inner;
    const found = closing.exec(html);
    const [end, next] = [found?.index ?? html.length, found ? closing.lastIndex : html.length];
    if (name === "noscript") {
      written += `${html.slice(from, opening.index)}<template>${html.slice(inner, end).replaceAll("<", "&lt;")}</template>`;
      from = next;
    }
    OPENING.lastIndex = next;
  }
  return written + html.slice(from);
}
