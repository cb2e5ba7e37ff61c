import dgram from "node:dgram";
import dns from "node:dns";
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { capabilities } from "../src/capabilities/index.js";
import type { Method } from "../src/capability/method.js";
import type { AnyCapability } from "../src/capability/types.js";

const offline = (capabilities as readonly AnyCapability[]).filter((capability) => capability.offline);
const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8")).version;

/** Every socket, and every question to a name server, which has none of Node's sockets. */
function closeNetwork(refuse: () => never) {
  vi.spyOn(Socket.prototype, "connect").mockImplementation(refuse);
  vi.spyOn(dgram.Socket.prototype, "send").mockImplementation(refuse);
  for (const door of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype] as unknown as Record<
    string,
    () => void
  >[])
    for (const name of Object.getOwnPropertyNames(door))
      if (/^(?:lookup|resolve|reverse)/.test(name)) vi.spyOn(door, name).mockImplementation(refuse);
}

afterEach(() => vi.restoreAllMocks());

describe("capabilities that ask nobody", () => {
  test("there are some", () => expect(offline.length).toBeGreaterThan(0));

  test.each(offline.map((capability) => [capability.id, capability] as const))(
    "%s answers its example while every socket and name server is closed",
    async (_id, capability) => {
      const refuse = () => {
        throw new Error("An offline capability opened a connection.");
      };
      closeNetwork(refuse);
      const result = await capability(capability.example, { fetch: refuse as never });
      // A picture has no room for them.
      if (result.body) return;
      expect(result.ok).toBe(true);
      const { engine, version, data } = (result.meta as { method: Method }).method;
      expect(data === null || typeof data === "string").toBe(true);
      // A constant that an update of the library left behind would name the wrong engine.
      expect(version).toBe(
        engine === "built-in" ? JSON.parse(readFileSync("package.json", "utf8")).version : versionOf(engine),
      );
    },
  );
});
