/** Statements of the embedded database that are parsed once: what they answer is what PGlite's own query answers. */
import { PGlite, protocol } from "@electric-sql/pglite";
import { afterAll, beforeEach, expect, it } from "vitest";
import { BYTES } from "../../src/state/database/embedded/bytes.js";
import { preparedStatements } from "../../src/state/database/embedded/prepared.js";

const database = await PGlite.create();
afterAll(() => database.close());

let parsed: string[];
let query: ReturnType<typeof preparedStatements>;
beforeEach(async () => {
  await database.query("deallocate all");
  parsed = [];
  const parse: typeof protocol.serialize.parse = (asked) => {
    parsed.push(asked.text);
    return protocol.serialize.parse(asked);
  };
  query = preparedStatements(database, { serialize: { ...protocol.serialize, parse } });
});
const heldBy = async () => (await database.query("select from pg_prepared_statements")).rows.length;

it("answers as PGlite's own query does, for all types that statements use", async () => {
  const text = `select $1::text as t, $2::bigint as b, $3::float8 as f, $4::text[] as list, $5::timestamptz as at,
    $6::bytea as bytes, $7::boolean as yes, $8::jsonb as json, $9::int as none, $10::bigint[] as numbers`;
  const values = [
    ...['a "b" \\ é 😀', "9007199254740993", 1.5, ["x", 'y,"z"', null], new Date("2030-01-02T03:04:05.678Z")],
    ...[new Uint8Array([0, 1, 255]), true, { a: [1, null] }, null, [1, 2]],
  ];
  const { rows } = await database.query(text, values);
  expect((await query(text, values)).rows).toEqual(rows);
  expect((await query(text, values)).rows).toEqual(rows);
  expect(parsed).toEqual([text]);
});

it("RES-1 hands bytes over as they are, and gets the same back", async () => {
  const own = await PGlite.create(BYTES);
  const handed: unknown[] = [];
  const bind: typeof protocol.serialize.bind = (bound = {}) => {
    handed.push(...(bound.values ?? []));
    return protocol.serialize.bind(bound);
  };
  const ask = preparedStatements(own, { serialize: { ...protocol.serialize, bind } });
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  // A part of a larger buffer, and one that is a Buffer.
  for (const bytes of [all, all.subarray(100, 130), new Uint8Array(), Buffer.from("text \\x é")]) {
    const given = "select $1::bytea as bytes, octet_length($1) as length";
    for (const answer of [await ask(given, [bytes]), await own.query(given, [bytes])])
      expect(answer.rows).toEqual([{ bytes: new Uint8Array(bytes), length: bytes.length }]);
    expect(handed.splice(0)).toEqual([bytes]);
  }
  await own.close();
});

it("goes on after a statement that failed, in a transaction and outside", async () => {
  const divide = "select 1 / $1::int as x";
  await expect(query(divide, [0])).rejects.toMatchObject({ code: "22012" });
  expect((await query(divide, [1])).rows).toEqual([{ x: 1 }]);
  await query("begin", []);
  await expect(query(divide, [0])).rejects.toMatchObject({ code: "22012" });
  // Parsed where nothing can be parsed, and again afterwards.
  await expect(query("select 2 as x", [])).rejects.toMatchObject({ code: "25P02" });
  await query("rollback", []);
  expect((await query("select 2 as x", [])).rows).toEqual([{ x: 2 }]);
  await expect(query(divide, [])).rejects.toThrow("takes 1 values and was given 0");
});

it("follows tables that change", async () => {
  await query("create table changing (a int)", []);
  await query("insert into changing values ($1)", [1]);
  expect((await query("select * from changing", [])).rows).toEqual([{ a: 1 }]);
  await query("alter table changing add column b text default 'new'", []);
  expect((await query("select * from changing", [])).rows).toEqual([{ a: 1, b: "new" }]);
});

it("keeps two hundred, however many there are", async () => {
  for (let i = 0; i < 300; i++) expect((await query(`select ${i} as n`, [])).rows).toEqual([{ n: i }]);
  await query("select 1 as last", []);
  expect(await heldBy()).toBeLessThanOrEqual(201);
});
