import { describe, expect, test } from "vitest";
import { createResources } from "../../src/lib/resources.js";

/** Opens things that say how often they were opened and in which order they ended. */
function things() {
  const resources = createResources();
  const ended: string[] = [];
  let opened = 0;
  const use = (key: string) =>
    resources.use(
      key,
      () => ({ key, number: ++opened }),
      (thing) => void ended.push(thing.key),
    );
  return { resources, ended, use };
}

describe("a set of resources", () => {
  test("opens a thing once, however many ask for it at the same time", async () => {
    const { use } = things();
    const [one, same] = await Promise.all([use("page"), use("page")]);
    expect(one).toBe(same);
    expect((await use("other")).number).toBe(2);
  });

  test("forgets what could not be opened", async () => {
    const { resources, use } = things();
    const failing = resources.use(
      "page",
      () => Promise.reject(new Error("no browser")),
      () => {},
    );
    await expect(failing).rejects.toThrow("no browser");
    await expect(use("page")).resolves.toMatchObject({ number: 1 });
  });

  test("ends what it opened, the last first, and opens nothing afterwards", async () => {
    const { resources, ended, use } = things();
    await use("database");
    await use("browser");
    await resources.close();
    expect(ended).toEqual(["browser", "database"]);
    await expect(use("browser")).rejects.toMatchObject({ code: "OVERLOADED" });
  });

  test("ends the others when one cannot be ended, and says so", async () => {
    const { resources, ended, use } = things();
    await use("database");
    await resources.use(
      "browser",
      () => 1,
      () => Promise.reject(new Error("hangs")),
    );
    await expect(resources.close()).rejects.toThrow("hangs");
    expect(ended).toEqual(["database"]);
  });

  test("waits for what is still being opened, and ends it", async () => {
    const { resources, ended, use } = things();
    const opening = use("browser");
    await resources.close();
    expect(ended).toEqual(["browser"]);
    await opening;
  });
});
