import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { planRoute, ROUTE } from "../examples/route/app.js";
import { pathFromRoot } from "./support/render-indexes.js";

it("route reads stops in three notations and measures the legs between them", async () => {
  const stops = await planRoute(ROUTE);
  expect(stops.map(({ format }: { format: string }) => format)).toEqual(["dms", "mgrs", "plusCode"]);
  for (const { grid } of stops) expect(grid).toMatch(/^32TPT\d{8}$/);
  for (const { meters } of stops.slice(1)) expect(meters).toBeGreaterThan(100);
});

it("route/app.js prints the route", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [pathFromRoot("examples/route/app.js")]);
  expect(stdout).toContain("summit");
});
