/**
 * Libraries that a user would pick instead, from a folder of their own:
 *
 *   npm install turndown turndown-plugin-gfm node-html-markdown pdf-parse
 */
import { loaderOf } from "./peers.mjs";

/** Functions of HTML, and of a PDF's bytes, by the name of the library. */
export async function peersIn(folder) {
  const load = loaderOf(folder);
  const { default: Turndown } = await load("turndown");
  const { gfm } = await load("turndown-plugin-gfm");
  const { NodeHtmlMarkdown } = await load("node-html-markdown");
  const { PDFParse } = await load("pdf-parse");
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
  turndown.use(gfm);
  return {
    html: {
      turndown: async (html) => turndown.turndown(html),
      "node-html-markdown": async (html) => NodeHtmlMarkdown.translate(html),
    },
    pdf: {
      "pdf-parse": async (bytes) => {
        const reader = new PDFParse({ data: new Uint8Array(bytes) });
        try {
          const { text } = await reader.getText();
          // It fails on some documents, which then have no tables.
          const { pages } = await reader.getTable().catch(() => ({ pages: [] }));
          return { markdown: text, tables: pages.flatMap(({ tables }) => tables.map((rows) => ({ rows }))) };
        } finally {
          await reader.destroy();
        }
      },
    },
  };
}
