/** Secrets of a host, as answers may show them. */
import { expect, it, vi } from "vitest";
import { begunIn, formsOf, shows } from "../../src/gateway/shown.js";

const KEY = "sk-live/4f9a+KEY=";

it("GW-4 a key is found in a long answer that escapes it, and an answer without its letters is read once", () => {
  const forms = formsOf([KEY]);
  const long = '{"a":"\\u0041"}'.repeat(20_000);
  expect(shows(long + KEY.replaceAll("/", "\\/").replaceAll("=", "\\u003d"), forms)).toBe(true);
  expect(shows(new TextEncoder().encode(long + encodeURIComponent(KEY)), forms)).toBe(true);
  const replace = vi.spyOn(String.prototype, "replace");
  expect(shows(long, forms)).toBe(false);
  expect(replace).not.toHaveBeenCalled();
  replace.mockRestore();
});

it("GW-4 the beginning of a key is seen in each form, and no other end of a text", () => {
  const forms = formsOf([KEY]);
  expect(begunIn("the key is sk-li", forms)).toBe(5);
  expect(begunIn("the key is sk-live%2F4", forms)).toBe(11);
  expect(begunIn("the key is none", forms)).toBe(0);
  expect(begunIn("", forms)).toBe(0);
});
