/** Neither declares types of its own. */
declare module "commonmark" {
  export class Parser {
    parse(text: string): unknown;
  }
  export class HtmlRenderer {
    render(tree: unknown): string;
  }
}
declare module "commonmark-spec" {
  export const tests: { markdown: string; html: string; section: string; number: number }[];
}
