import { Redis } from "ioredis";
import pg from "pg";
import { createClient } from "redis";
import { expectTypeOf, test } from "vitest";
import { createMemoryStore, type PutOptions, type Store } from "../../src/index.js";
import {
  CoinslotStore,
  createDurableObjectStore,
  type StoreNamespace,
} from "../../src/stores/durable-object/elsewhere.js";
import { createPostgresStore, migrate } from "../../src/stores/postgres/index.js";
import { createRedisStore } from "../../src/stores/redis/index.js";

test("each store is a store, made of the field's clients as they are", () => {
  expectTypeOf(createMemoryStore()).toExtend<Store>();
  expectTypeOf(createPostgresStore(new pg.Pool())).toEqualTypeOf<Store>();
  expectTypeOf(createRedisStore(new Redis())).toEqualTypeOf<Store>();
  expectTypeOf(createRedisStore(createClient())).toEqualTypeOf<Store>();
  expectTypeOf(migrate(new pg.Pool())).resolves.toBeVoid();
  // @ts-expect-error: a pool, not an address.
  createPostgresStore("postgres://localhost/shop");
  // @ts-expect-error: a client, not an address.
  createRedisStore("redis://localhost");
});

test("a Worker's store is made of its namespace of Durable Objects", () => {
  expectTypeOf(createDurableObjectStore).parameter(0).toEqualTypeOf<StoreNamespace>();
  expectTypeOf(createDurableObjectStore).returns.toEqualTypeOf<Store>();
  expectTypeOf(CoinslotStore).constructorParameters.toEqualTypeOf<[_ctx: unknown, _env: unknown]>();
});

test("a value may say how it is shortened", () => {
  expectTypeOf<PutOptions["compact"]>().toEqualTypeOf<((value: string) => string) | undefined>();
});
