import { describe, expect, test } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { createHandler } from "../../src/handler/handler.js";
import { createRoutes } from "../../src/host/routes.js";

const operation = () => ({
  operationId: "menu",
  summary: "The menu.",
  tags: [],
  parameters: [],
  security: [],
  responses: {},
});

function routesOfThree() {
  const routes = createRoutes();
  routes.add("/api/convert/unit", { kind: "capability", capability: convertUnit });
  routes.add("/api/menu", { kind: "page", operation, read: () => "{}" });
  const answer = async () => new Response("done");
  routes.add("/api/mcp", { kind: "service", methods: ["POST", "GET", "DELETE"], answer });
  return routes;
}

describe("the route table", () => {
  test.each([
    ["/api/convert/unit", "GET, HEAD, OPTIONS"],
    ["/api/menu", "GET, HEAD, OPTIONS"],
    ["/api/mcp", "POST, GET, HEAD, DELETE, OPTIONS"],
  ])("%s takes %s and nothing else", (path, allow) => {
    const routes = routesOfThree();
    expect(routes.has(path)).toBe(true);
    expect(routes.allowedAt(path)).toBe(allow);
    for (const method of allow.split(", ")) expect(routes.find(path, method)).toBeDefined();
    expect(() => routes.find(path, "PUT")).toThrow(expect.objectContaining({ code: "METHOD_NOT_ALLOWED" }));
  });

  test("says which methods a path takes", () => {
    expect(() => routesOfThree().find("/api/mcp", "PUT")).toThrow("takes POST or GET or DELETE, not PUT");
  });

  test("takes a path as it is, and knows no other", () => {
    const unknown = expect.objectContaining({ code: "NOT_FOUND" });
    for (const path of ["/api/convert/unit/", "/api/Convert/unit", "/api/convert%2Funit", ""])
      expect(() => routesOfThree().find(path, "GET"), path).toThrow(unknown);
  });

  test("refuses a second thing at a path that is taken", () => {
    expect(() => routesOfThree().add("/api/menu", { kind: "capability", capability: convertUnit })).toThrow(TypeError);
  });
});

test("a handler owns its capabilities and documents, and nothing else", () => {
  const handle = createHandler({ capabilities: [convertUnit], payment: false });
  const own = ["/api/convert/unit", "/api/directory", "/api/search/endpoints", "/api/openapi.json"];
  for (const path of own) expect(handle.owns(path), path).toBe(true);
  for (const path of ["/api", "/api/convert", "/api/", "/directory"]) expect(handle.owns(path), path).toBe(false);
});
