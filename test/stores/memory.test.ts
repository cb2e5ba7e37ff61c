import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory.js";
import { describeStore } from "./conformance.js";

let now = 0;
const clock = () => new Date(now);

describeStore("memory store", {
  async open() {
    now = Date.UTC(2030, 0, 1);
    const store = createMemoryStore({ clock });
    return [store, store];
  },
  async pass(ms) {
    now += ms;
  },
});
