/** Many hosts on one pool. */
import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { postgresDriver } from "../../src/state/database/postgres.js";
import { createPostgresStore } from "../../src/stores/postgres/index.js";

it("a pool that twenty hosts share has one listener of ours, which survives a lost connection", () => {
  const pool = Object.assign(new EventEmitter(), {
    query: async () => ({ rows: [] }),
    connect: async () => ({ query: async () => ({ rows: [] }), release() {} }),
  });
  for (let i = 0; i < 20; i++) {
    postgresDriver(pool);
    createPostgresStore(pool);
  }
  expect(pool.listenerCount("error")).toBe(1);
  expect(() => pool.emit("error", new Error("the server closed the connection"))).not.toThrow();
});
