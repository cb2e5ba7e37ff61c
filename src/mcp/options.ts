/** How a host offers its catalogue to models, over the Model Context Protocol. */
export interface McpOptions {
  /**
   * What is a tool of its own besides the three that search, describe and call: groups (`"aviation"`), ids
   * (`"convert.unit"`), or `"all"`. Default: everything where that is at most 40, else nothing, since models drown in
   * long lists. A client may ask otherwise: `<basePath>/mcp?tools=aviation,convert.unit`.
   */
  tools?: "all" | readonly string[];
  /** `"auto"`: a call without payment uses the caller's free trial where there is one. `"asked"`: only when it says so. */
  trial?: "auto" | "asked";
  /** What a model reads before it chooses; default: how to find, call and pay. */
  instructions?: string;
}
