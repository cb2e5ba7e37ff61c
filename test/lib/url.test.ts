import { expect, it } from "vitest";
import { uri } from "../../src/capability/fields.js";
import { isUrl } from "../../src/lib/http/url.js";

it("a URL with letters beyond ASCII is one, however often that was asked", () => {
  const field = uri(100);
  for (let i = 0; i < 20_000; i++) {
    const refused = ["https://müller.example/", "https://example.com/é"].find((url) => !field.safeParse(url).success);
    if (refused) expect([i, refused]).toEqual([i, undefined]);
  }
});

it("what has neither an origin nor a base is no URL", () => {
  expect(["/a", "", "https://", "http://[::1"].filter((text) => isUrl(text))).toEqual([]);
  expect(isUrl("/a", "https://example.com/")).toBe(true);
});
