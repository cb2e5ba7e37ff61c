/** Building schemas is most of what importing a capability could cost, and a host imports every one of them. */
import { expect, it, vi } from "vitest";

/** Where a schema was built, from the stack of the call. */
const built = vi.hoisted(() => new Set<string>());

vi.mock("zod", async (original) => {
  const library = await original<typeof import("zod")>();
  const z = new Proxy(library.z, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      // Capitalised ones are classes, for `instanceof`.
      if (typeof value !== "function" || !/^[a-z]/.test(String(name))) return value;
      return (...input: unknown[]) => {
        const files = new Error("built").stack?.match(/src\/[^:?)]+/g) ?? [];
        built.add(files.find((file) => !file.endsWith("/fields.ts")) ?? String(name));
        return Reflect.apply(value, target, input);
      };
    },
  });
  return { ...library, z, default: z };
});

it("importing every capability builds no schema, and using one does", async () => {
  const { capabilities } = await import("../src/capabilities/index.js");
  expect([...built].sort()).toEqual([]);
  expect(capabilities[0]?.input).toBeDefined();
  expect(built.size).toBeGreaterThan(0);
});
