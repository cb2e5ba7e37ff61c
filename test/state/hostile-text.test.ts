/** What a text may hold that a database, a page or a log line stumbles over, in every field of every operation. */
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { capabilities } from "../../src/capabilities/index.js";
import { CapabilityError } from "../../src/errors.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { onBothEngines } from "../support/wallets-engine.js";

const UNSTORABLE = ["\0", "\ud800", "\udfff"];
const HOSTILE = [...UNSTORABLE, "\u202e\u200f", "\u{1f980}", "\u0001\u001f\u007f", "\ufeff\u2028"];
const ALL = capabilities.filter(({ wallet }) => wallet);

type Path = (string | number)[];
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

interface Place {
  path: Path;
  type: Schema["type"];
}

/** Where a text, or any JSON at all, may stand in an input. */
function places({ type, properties, items, anyOf }: Schema, path: Path = []): Place[] {
  if (anyOf) return anyOf.flatMap((one) => places(one, path));
  const inside = [
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => places(inner, [...path, name])),
    ...(items ? places(items, [...path, 0]) : []),
  ];
  if (inside.length > 0) return inside;
  return type === undefined || type === "string" || type === "object" ? [{ path, type }] : [];
}
const placesOf = (input: z.ZodType) => places(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema);

function placed(input: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") return [placed((input as unknown[] | undefined)?.[step], rest, value)];
  return { ...(input as object), [step]: placed((input as Record<string, unknown> | undefined)?.[step], rest, value) };
}

/** Whatever form a field asks for, one of these has it but for the one sign. */
const forms = (sign: string): unknown[] => [
  ...[sign, `a${sign}b`, `/a${sign}`, `/meta/a${sign}`, `https://example.com/${sign}`, `text/${sign}`],
  ...[{ a: sign, [`b${sign}`]: [sign] }, { "/meta/a": sign }, { [`/body/${sign}`]: { prefix: `x${sign}` } }],
];

const cursors = (sign: string): string[] =>
  [
    sign,
    [sign, sign],
    { number: 1, place: sign },
    { kind: "docs", names: [sign, sign] },
    { ns: sign, id: sign, score: 1, rank: 1, at: 1, value: sign },
    { id: sign, key: [sign] },
  ].map((position) => Buffer.from(JSON.stringify(position)).toString("base64url"));

const WATCHED = {
  ...{ endpoint: "convert.unit", params: { value: 1, from: "kg", to: "lb" }, callbackUrl: "https://example.com/" },
};

/** What is named in an example by one of two ways, in the form that the other names would have. */
const BESIDE: Record<string, object[]> = {
  "queue.enqueue": [{ queue: "q", messages: [{ body: 1 }] }],
  "queue.ack": [{ queue: "q", messages: [{ id: "1", leaseToken: "t" }] }],
  "queue.nack": [{ queue: "q", messages: [{ id: "1", leaseToken: "t" }] }],
  "watchers.arm": [
    { ...WATCHED, conditionType: "new_items", path: "/items" },
    { ...WATCHED, conditionType: "equals", path: "/items/0/result", value: 1 },
  ],
  "schedule.create": [{ callbackUrl: "https://example.com/", cron: "30 9 * * MON-FRI" }],
};

onBothEngines("texts of any kind", (engine) => {
  const shops: WalletShop[] = [];
  afterAll(async () => {
    for (const shop of shops.splice(0)) await shop.handle.close();
  });
  const open = () => {
    const shop = openWalletShop({
      capabilities: [...ALL, convertUnit],
      wallets: engine.options({ schema: "hostile_text", runner: false }),
      outbound: { lookup: async () => [{ address: "93.184.215.14", family: 4 }] },
    });
    shops.push(shop);
    return shop;
  };

  it("WAL-2 break no operation, in whichever field they stand", async () => {
    const { handle } = open();
    const broken: unknown[] = [];
    const answered = new Set<string>();
    let asked = 0;
    const ask = async (id: string, input: unknown) => {
      const wallet = `test:hostile-${asked++}`;
      try {
        await handle.call(id as never, input as never, { wallet });
        answered.add(id);
      } catch (error) {
        if (!CapabilityError.is(error) || error.status >= 500) broken.push([id, JSON.stringify(input), String(error)]);
      }
    };
    for (const { id, example, input } of ALL) {
      if (engine.name === "Postgres" && id.startsWith("store.vector-")) continue;
      for (const base of [example, ...(BESIDE[id] ?? [])])
        for (const sign of HOSTILE)
          for (const { path } of placesOf(input))
            for (const form of path.at(-1) === "after" ? cursors(sign) : forms(sign))
              await ask(id, placed(base, path, form));
    }
    expect(asked).toBeGreaterThan(5000);
    expect(answered.size).toBeGreaterThan(10);
    expect(broken).toEqual([]);
  }, 240_000);

  it("WAL-2 come back as they were given, in any script and direction", async () => {
    const { handle } = open();
    for (const label of ["\u202e\u200fabc", "\u{1f980}".repeat(64), "\u0001\u007f", "e\u0301\u2028"]) {
      const input = { callbackUrl: "https://example.com/", everySeconds: 60, label };
      const { items } = (await handle.call("schedule.create" as never, input as never, {
        wallet: `test:given-${label.length}`,
      })) as { items: { label: string }[] };
      expect(items[0]?.label).toBe(label);
    }
  });
});

it("WAL-2 refuses what no database keeps before money moves, in every field that is a text", () => {
  let fields = 0;
  for (const { id, example, input } of ALL)
    for (const { path, type } of placesOf(input)) {
      // What is kept with blanks instead.
      if (type !== "string" || (id === "queue.nack" && path[0] === "error")) continue;
      fields++;
      for (const base of [example, ...(BESIDE[id] ?? [])])
        for (const sign of UNSTORABLE.filter(() => path.at(-1) !== "after"))
          for (const form of forms(sign).filter((one) => typeof one === "string"))
            expect([id, path, form, input.safeParse(placed(base, path, form)).success]).toEqual([
              id,
              path,
              form,
              false,
            ]);
    }
  expect(fields).toBeGreaterThan(80);
});
