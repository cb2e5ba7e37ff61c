/** What a host is told, and what its buyers are not. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import * as store from "../../src/capabilities/store/index.js";
import { text } from "../../src/capability/fields.js";
import { createHandler } from "../../src/handler/handler.js";
import { defineCapability, type HandlerOptions, one } from "../../src/index.js";
import { silent } from "../../src/lib/logger.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { openShop } from "../support/shop.js";
import { mallory, quoteOf, TREASURY } from "../support/wallets.js";

const source = { provider: "test", url: "", license: "MIT" };

/** A host's own capability, made in plain JavaScript: its types say nothing. */
function own(more: object = {}, run: () => unknown = () => ({ item: { n: 1 } })) {
  const definition = {
    id: "own.thing",
    summary: "A thing.",
    price: "0.001",
    source,
    input: () => z.strictObject({ note: text(0, 10).describe("Anything").optional() }),
    output: one(() => z.object({ n: z.number() })),
    example: {},
    run: async () => run(),
    ...more,
  };
  return defineCapability(definition as never);
}

const ask = (options: Partial<HandlerOptions>, path = "/api/own/thing", init?: RequestInit) =>
  createHandler({ capabilities: [own()], payment: false, ...options })(new Request(`http://a.test${path}`, init));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe("a call that fails", () => {
  const broken = own({}, () => {
    throw new Error("the disk is full");
  });

  it("tells its request id, and the console its cause, where no logger is given", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const response = await ask({ capabilities: [broken] });
    const { requestId, detail } = (await response.json()) as { requestId: string; detail: string };
    expect([response.status, detail]).toEqual([500, expect.not.stringContaining("disk")]);
    expect(printed.mock.calls).toEqual([
      [expect.stringMatching(/^coinslot: /), expect.objectContaining({ requestId, endpoint: "own.thing" })],
    ]);
    expect(printed.mock.calls[0]?.[1].cause.message).toBe("the disk is full");
  });

  it("is told to the host's logger instead, and to onCall with what was thrown", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const onCall = vi.fn();
    const error = vi.fn();
    await ask({ capabilities: [broken], onCall, logger: { ...silent, error } });
    expect(printed).not.toHaveBeenCalled();
    expect(error).toHaveBeenCalledOnce();
    expect(onCall.mock.calls[0]?.[0]).toMatchObject({ code: "INTERNAL", error: { message: "the disk is full" } });
  });
});

describe("a key that is not set", () => {
  const keyed = own({ requires: ["SECRET_NAME"] });

  it("is named to the host, and not to buyers", async () => {
    const warn = vi.fn();
    const onCall = vi.fn();
    const options = { capabilities: [keyed], secrets: {}, logger: { ...silent, warn }, onCall };
    const handle = createHandler({ ...options, payment: false });
    const response = await handle(new Request("http://a.test/api/own/thing"));
    const body = await response.text();
    expect([response.status, body]).toEqual([502, expect.stringContaining("not configured")]);
    expect(body).not.toContain("SECRET_NAME");
    expect(await (await handle(new Request("http://a.test/api/directory"))).text()).not.toContain("SECRET_NAME");

    expect(warn.mock.calls.flat().join()).toContain("SECRET_NAME");
    expect(onCall.mock.calls[0]?.[0].error.message).toContain("SECRET_NAME");
    expect(handle.directory().endpoints[0]?.missing).toEqual(["SECRET_NAME"]);
    await expect(handle.call("own.thing", {} as never)).rejects.toThrow(/SECRET_NAME/);
  });
});

describe("what nobody pays for", () => {
  it("fills no log: a line an endpoint and minute, which counts the others", async () => {
    const warn = vi.fn();
    let now = Date.UTC(2026, 0, 1);
    const handle = createHandler({
      capabilities: [own({ requires: ["SECRET_NAME"] }), ...Object.values(store)],
      secrets: {},
      payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://f.test" } },
      logger: { ...silent, warn },
      clock: () => new Date(now),
    });
    const ask = async (path: string, method = "GET") =>
      (await handle(new Request(`http://a.test/api${path}`, { method }))).status;
    for (let i = 0; i < 40; i++) {
      expect(await ask("/own/thing")).toBe(502);
      expect(await ask("/store/kv-get", "POST")).toBe(502);
    }
    const told = () => warn.mock.calls.filter(([{ endpoint }]) => endpoint).map(([facts]) => facts);
    expect(told().map(({ endpoint }) => endpoint)).toEqual(["own.thing", "store.kv-get"]);
    now += 60_000;
    await ask("/own/thing");
    expect(told().slice(2)).toMatchObject([{ endpoint: "own.thing", count: 40 }]);
  });
});

describe("a package that a lean install has left out", () => {
  const cannot = (message: string) =>
    own({}, () => {
      throw new Error(message);
    });

  it.each([
    ["Cannot find package '@napi-rs/canvas' imported from /app/png.js", "@napi-rs/canvas", "@napi-rs/canvas"],
    ["barcode: Cannot find package 'bwip-js' imported from /app/matrix.js", "bwip-js", "bwip-js"],
    ["Cannot find module 'openai/resources.js'", "openai", "openai@6"],
  ])("%s: is named, over HTTP and in-process", async (message, name, spec) => {
    const response = await ask({ capabilities: [cannot(message)], logger: silent });
    const expected = {
      code: "PROVIDER_NOT_CONFIGURED",
      detail: `This needs the package ${name}, which is not installed on this service.`,
    };
    expect([response.status, await response.json()]).toEqual([502, expect.objectContaining(expected)]);
    await expect(cannot(message)({} as never)).rejects.toMatchObject({
      code: "PROVIDER_NOT_CONFIGURED",
      message: `The optional package ${name} is not installed here: npm install ${spec}`,
    });
  });

  it("is told before any price where the capability says that it needs it", async () => {
    const needy = own({ packages: ["nobody-has-this-package"] });
    const warn = vi.fn();
    const payment = { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://f.test" } };
    const handle = createHandler({ capabilities: [needy], payment, logger: { ...silent, warn } });
    const response = await handle(new Request("http://a.test/api/own/thing"));
    const detail = "This needs the package nobody-has-this-package, which is not installed on this service.";
    expect([response.status, await response.json()]).toEqual([502, expect.objectContaining({ detail })]);
    const directory = await (await handle(new Request("http://a.test/api/directory"))).json();
    expect(directory).toMatchObject({ endpoints: [{ available: false, reason: detail }] });
    const command = "npm install nobody-has-this-package";
    expect(warn.mock.calls.map(([facts, line]) => (facts.endpoint ? line : ""))).toContainEqual(
      `The optional package nobody-has-this-package is not installed here: ${command}`,
    );
    await expect(needy({} as never)).rejects.toMatchObject({
      code: "PROVIDER_NOT_CONFIGURED",
      message: expect.stringContaining(command),
    });
  });

  it("a file of ours that is not there is our own fault", async () => {
    const broken = cannot("Cannot find module '/app/dist/chunk.js' imported from /app/dist/index.js");
    expect((await ask({ capabilities: [broken], logger: silent })).status).toBe(500);
  });
});

describe("options are checked at the start", () => {
  const payment = { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://f.test" } };

  it.each<[string, object]>([
    ["basepath", { basepath: "/x" }],
    ["brand.title", { brand: { title: "Acme" } }],
    ["pricing.overides", { pricing: { overides: {} } }],
    ["trial.perDay", { trial: { perDay: 1 } }],
    ["payment.treasure", { payment: { ...payment, treasure: {} } }],
    ["payment.facilitator", { payment: { ...payment, facilitator: "https://f.test" } }],
    ["convert.units", { pricing: { overrides: { "convert.units": "1" } } }],
  ])("%s is refused by name", (name, options) => {
    const given = { capabilities: [convertUnit], payment, ...options };
    expect(() => createHandler(given as HandlerOptions)).toThrow(TypeError);
    expect(() => createHandler(given as HandlerOptions)).toThrow(name);
  });
});

describe("own capabilities", () => {
  it.each(["thing", "own.", "Own.thing", "own/thing", "own.thing!", ""])("an id of %j is refused", (id) => {
    expect(() => own({ id })).toThrow(/An id is a group and a name/);
  });

  it.each<unknown>([0.001, "free", "-1", "1e-3", "", "$1", null, { min: "2", max: "1" }, { min: "1" }])(
    "a price of %j is refused",
    (price) => {
      expect(() => own({ price })).toThrow(/own\.thing: a price is/);
    },
  );

  const lying = own({}, () => ({ item: { n: "one" } }));

  it.each(["development", "production"])(
    "a result that its output does not promise fails in %s, and the log says where",
    async (environment) => {
      vi.stubEnv("NODE_ENV", environment);
      const error = vi.fn();
      expect((await ask({ capabilities: [lying], logger: { ...silent, error } })).status).toBe(500);
      expect(error.mock.calls[0]?.[0].cause.message).toMatch(/own\.thing .*items\.0\.n/);
    },
  );

  it.each([
    ["settled afterwards", {}, []],
    ["settled first", { settleFirst: ["own.thing"] }, [500_000n, 500_000n]],
  ])(
    "a result that its output does not promise is not paid for in production, where calls are %s",
    async (_, more, moved) => {
      vi.stubEnv("NODE_ENV", "production");
      const shop = openShop({
        capabilities: [own({ price: "0.5" }, () => ({ item: { n: "one" } }))],
        payment: {
          treasury: { "eip155:8453": TREASURY },
          facilitator: { url: FACILITATOR_URL },
          rpc: false,
          refunds: { "eip155:8453": mallory },
          ...more,
        },
        logger: silent,
      });
      expect((await shop.pay("/own/thing", await shop.payFor("/own/thing"))).status).toBe(500);
      // What moved before it ran went back.
      expect(shop.facilitator.settled.map(({ value }) => value)).toEqual(moved);
    },
  );
});

describe("what documents say of trials", () => {
  const said = (options: Partial<HandlerOptions>) => {
    const payment = { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://f.test" } };
    const handle = createHandler({ capabilities: [convertUnit], payment, logger: silent, ...options });
    const document = handle.openapi();
    const { parameters = [] } = document.paths["/api/convert/unit"]?.get ?? {};
    const parameter = parameters.find(({ name }) => name === "trial");
    return [String(document.info["x-guidance"]), parameter?.description];
  };

  it("is what there is", () => {
    expect(said({})).toEqual([expect.stringContaining("One free call per"), "One free call per endpoint and hour."]);
    expect(said({ trial: { perHour: 3 } })).toEqual([
      expect.stringContaining("3 free calls per endpoint and hour"),
      "3 free calls per endpoint and hour.",
    ]);
    expect(said({ trial: false })).toEqual([expect.not.stringMatching(/free|trial/), undefined]);
    expect(said({ payment: false })).toEqual([expect.not.stringMatching(/402|trial/), undefined]);
  });
});

it("PAYMENT-REQUIRED says why a payment or a trial was refused, as the body does", async () => {
  const shop = openShop();
  await shop.get("/test/work?n=1&trial=1");
  const refused = await shop.get("/test/work?n=1&trial=1");
  const { error } = (await refused.clone().json()) as { error: string };
  expect(error).toMatch(/used up/);
  expect(quoteOf(refused)).toMatchObject({ x402Version: 2, error });
});
