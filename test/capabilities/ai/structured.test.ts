import { describe, expect, it } from "vitest";
import {
  aiClassify,
  aiEntities,
  aiModerate,
  aiPii,
  aiSentiment,
  aiTranslate,
} from "../../../src/capabilities/ai/index.js";
import { modelServer, promptOf, type Reply } from "../../support/model-server.js";

const sentiment = (fields: object = {}) =>
  JSON.stringify({ sentiment: "positive", score: 0.8, confidence: 0.9, rationale: "Praise.", ...fields });

describe("a structured answer", () => {
  it("asks the host's model with a strict schema, and gives what it said", async () => {
    const { secrets, asked } = await modelServer(sentiment());
    const { items, source } = await aiSentiment({ text: "Lovely!" }, { secrets });
    expect(items).toEqual([{ sentiment: "positive", score: 0.8, confidence: 0.9, rationale: "Praise." }]);
    expect(source.provider).toContain("test/fast");
    const [{ body, authorization }] = asked as [(typeof asked)[0]];
    expect(authorization).toBe("Bearer test-key");
    expect(body).toMatchObject({ model: "test/fast", temperature: 0, stream: false });
    expect(body.response_format).toMatchObject({
      type: "json_schema",
      json_schema: {
        strict: true,
        schema: { additionalProperties: false, required: ["sentiment", "score", "confidence", "rationale"] },
      },
    });
  });

  it.each([
    ["is not JSON", "Certainly! The text is positive."],
    ["is of another form", '{"mood":"good"}'],
    ["is cut off", { content: '{"sentiment":"posi', finish_reason: "length" }],
    ["is empty", { content: "" }],
    ["is null", { content: null }],
    ["is a refusal", { content: null, refusal: "I cannot help with that." }],
    ["was filtered", { content: sentiment(), finish_reason: "content_filter" }],
  ] satisfies [string, Reply][])("LLM-3 is asked for once more when it %s", async (_, bad) => {
    const { secrets, asked } = await modelServer((_request, count) => (count === 0 ? bad : sentiment()));
    const { items } = await aiSentiment({ text: "Lovely!" }, { secrets });
    expect(items[0]?.sentiment).toBe("positive");
    expect(asked).toHaveLength(2);
  });

  it("LLM-3 that is unusable twice is LLM_BAD_OUTPUT, and not asked for a third time", async () => {
    const { secrets, asked } = await modelServer("no JSON at all");
    await expect(aiSentiment({ text: "Lovely!" }, { secrets })).rejects.toMatchObject({
      code: "LLM_BAD_OUTPUT",
      status: 502,
    });
    expect(asked).toHaveLength(2);
  });

  it("gets more room when it was cut off", async () => {
    const { secrets, asked } = await modelServer((_, count) =>
      count === 0 ? { content: "{", finish_reason: "length" } : sentiment(),
    );
    await aiSentiment({ text: "Lovely!" }, { secrets });
    expect(Number(asked[1]?.body.max_tokens)).toBe(2 * Number(asked[0]?.body.max_tokens));
  });

  it("may stand in a code fence", async () => {
    const { secrets } = await modelServer(`\`\`\`json\n${sentiment()}\n\`\`\``);
    await expect(aiSentiment({ text: "Lovely!" }, { secrets })).resolves.toMatchObject({ ok: true });
  });

  it("is asked for in words from a model that knows no schemas", async () => {
    const { secrets, asked } = await modelServer((request) =>
      (request.body.response_format as { type: string }).type === "json_schema"
        ? {
            status: 400,
            body: { error: { message: "response_format is not supported by this model", param: "response_format" } },
          }
        : sentiment(),
    );
    await expect(aiSentiment({ text: "Lovely!" }, { secrets })).resolves.toMatchObject({ ok: true });
    expect(promptOf(asked[1] as (typeof asked)[0]).system).toContain('"sentiment"');
  });

  it.each([{ score: 7 }, { score: -1.1 }, { confidence: -1 }, { confidence: 80 }])(
    "LLM-5 refuses %j, which is out of range, instead of making a figure of it",
    async (figures) => {
      const { secrets, asked } = await modelServer((_, count) => sentiment(count === 0 ? figures : {}));
      const { items } = await aiSentiment({ text: "Good." }, { secrets });
      expect(items[0]).toMatchObject({ score: 0.8, confidence: 0.9 });
      expect(asked).toHaveLength(2);
      const stubborn = await modelServer(sentiment(figures));
      await expect(aiSentiment({ text: "Good." }, { secrets: stubborn.secrets })).rejects.toMatchObject({
        code: "LLM_BAD_OUTPUT",
      });
    },
  );
});

describe("trouble with the gateway", () => {
  it.each([
    ["refuses the host's key", { status: 401 }, "UPSTREAM_ERROR"],
    ["wants to be paid", { status: 402 }, "UPSTREAM_ERROR"],
    [
      "refuses our own request",
      { status: 400, body: { error: { message: "bad user_id key-123", code: 400 } } },
      "UPSTREAM_ERROR",
    ],
    ["asks for patience", { status: 429, headers: { "retry-after": "30" } }, "UPSTREAM_RATE_LIMIT"],
    ["times out itself", { status: 504 }, "UPSTREAM_TIMEOUT"],
    ["is down", { status: 503 }, "UPSTREAM_ERROR"],
    [
      "sends a page of HTML",
      { status: 200, body: "<html>", headers: { "content-type": "text/html" } },
      "UPSTREAM_SCHEMA",
    ],
    ["says error with a 200", { status: 200, body: { error: { message: "no", code: 500 } } }, "UPSTREAM_ERROR"],
    ["breaks off", { cut: true }, "UPSTREAM_ERROR"],
  ] satisfies [string, Reply, string][])("that %s is told without its words", async (_, reply, code) => {
    const { secrets } = await modelServer(reply);
    const error = await aiSentiment({ text: "Lovely!" }, { secrets }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(String((error as Error).message)).not.toMatch(/key-123|test-key|127\.0\.0\.1|<html/);
  });

  it("that hangs ends with the caller's patience", async () => {
    const { secrets } = await modelServer({ hang: true });
    const signal = AbortSignal.timeout(150);
    await expect(aiSentiment({ text: "Lovely!" }, { secrets, signal })).rejects.toMatchObject({ status: 502 });
  });

  it("without a key is not configured", async () => {
    await expect(aiSentiment({ text: "x" }, { secrets: {} })).rejects.toMatchObject({
      code: "PROVIDER_NOT_CONFIGURED",
    });
  });
});

describe("ai.classify", () => {
  const labels = ["delivery", "billing", "praise"];
  it("LLM-5 gives only labels that were given", async () => {
    const { secrets, asked } = await modelServer((_, count) =>
      JSON.stringify({
        labels: count === 0 ? ["complaint"] : ["delivery"],
        top: null,
        confidence: 0.7,
        reasoning: "Late.",
      }),
    );
    const { items } = await aiClassify({ text: "Where is it?", labels }, { secrets });
    expect(items[0]).toMatchObject({ labels: ["delivery"], top: "delivery" });
    expect(asked).toHaveLength(2);
  });

  it("gives one label unless several are wanted", async () => {
    const answer = JSON.stringify({ labels: ["delivery", "billing"], top: "delivery", confidence: 1, reasoning: "" });
    const { secrets } = await modelServer(answer);
    expect((await aiClassify({ text: "x", labels }, { secrets })).items[0]?.labels).toEqual(["delivery"]);
    const several = await aiClassify({ text: "x", labels, multiLabel: true }, { secrets });
    expect(several.items[0]?.labels).toEqual(["delivery", "billing"]);
  });

  it("refuses labels that are the same", async () => {
    await expect(
      aiClassify({ text: "x", labels: ["a", "a"] }, { secrets: { AI_GATEWAY_API_KEY: "k" } }),
    ).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: "labels" }],
    });
  });
});

describe("ai.entities", () => {
  it("counts mentions itself, and names each entity once", async () => {
    const entities = [
      { text: "Ada", type: "Person" },
      { text: "Ada", type: "person" },
      { text: "the Countess", type: "person" },
    ];
    const { secrets } = await modelServer(JSON.stringify({ entities }));
    const { items } = await aiEntities({ text: "Ada met Ada." }, { secrets });
    expect(items[0]).toEqual({
      entities: [
        { text: "Ada", type: "person", mentions: 2 },
        { text: "the Countess", type: "person", mentions: null },
      ],
      count: 2,
    });
  });
});

describe("ai.moderate", () => {
  const scores = {
    hate: 0.1,
    harassment: 0.7,
    sexual: 0,
    "sexual/minors": 0,
    violence: 1,
    "self-harm": 0,
    dangerous: 0,
    illicit: 0,
  };
  it("flags from one half on, with scores in their range", async () => {
    const { secrets } = await modelServer(JSON.stringify(scores));
    const { items } = await aiModerate({ text: "You fool" }, { secrets });
    expect(items[0]).toMatchObject({
      flagged: true,
      categories: { hate: false, harassment: true, violence: true, "self-harm": false },
      scores: { violence: 1, "self-harm": 0 },
    });
  });

  it.each([{ violence: 2 }, { "self-harm": -1 }, { hate: null }])(
    "LLM-5 refuses %j, which is out of range, instead of making a score of it",
    async (figures) => {
      const good = JSON.stringify(scores);
      const bad = JSON.stringify({ ...scores, ...figures });
      const { secrets, asked } = await modelServer((_, count) => (count === 0 ? bad : good));
      expect((await aiModerate({ text: "You fool" }, { secrets })).items[0]?.scores).toEqual(scores);
      expect(asked).toHaveLength(2);
      const stubborn = await modelServer(bad);
      await expect(aiModerate({ text: "You fool" }, { secrets: stubborn.secrets })).rejects.toMatchObject({
        code: "LLM_BAD_OUTPUT",
      });
    },
  );

  it("asks the strong model where the fast one declines", async () => {
    const { secrets, asked } = await modelServer(({ body }) =>
      body.model === "test/fast" ? { content: null, refusal: "no" } : JSON.stringify(scores),
    );
    await expect(aiModerate({ text: "…" }, { secrets })).resolves.toMatchObject({ ok: true });
    expect(asked.map(({ body }) => body.model)).toEqual(["test/fast", "test/fast", "test/strong"]);
  });
});

describe("ai.pii", () => {
  it("LLM-5 passes on only what the text has, and finds by check digits what the model missed", async () => {
    const text = "Ada, ada@example.com, card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00, IP 192.0.2.7.";
    const entities = [
      { type: "name", value: "Ada" },
      { type: "name", value: "Charles" },
    ];
    const { secrets } = await modelServer(JSON.stringify({ entities }));
    const { items } = await aiPii({ text }, { secrets });
    expect(items[0]?.entities).toEqual([
      { type: "name", value: "Ada" },
      { type: "email", value: "ada@example.com" },
      { type: "credit_card", value: "4111 1111 1111 1111" },
      { type: "iban", value: "DE89 3704 0044 0532 0130 00" },
      { type: "ip_address", value: "192.0.2.7" },
    ]);
  });
});

describe("ai.translate", () => {
  const answer = JSON.stringify({ text: "Bonjour, {name} !", detectedSourceLanguage: "EN-us", confidence: "high" });
  it("gives canonical language tags, and the given source language where one was given", async () => {
    const { secrets } = await modelServer(answer);
    const detected = await aiTranslate({ text: "Hello, {name}!", targetLanguage: "FR-ca" }, { secrets });
    expect(detected.items[0]).toMatchObject({ targetLanguage: "fr-CA", detectedSourceLanguage: "en-US" });
    const given = await aiTranslate({ text: "Hello", targetLanguage: "fr", sourceLanguage: "en" }, { secrets });
    expect(given.items[0]?.detectedSourceLanguage).toBe("en");
  });

  it("refuses what is no language tag", async () => {
    const call = aiTranslate({ text: "x", targetLanguage: "not a tag" }, { secrets: { AI_GATEWAY_API_KEY: "k" } });
    await expect(call).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "targetLanguage" }] });
  });

  it("LLM-2 adds no picture that the text does not have", async () => {
    const said = "![](https://evil.example/?q=1)![ok](https://ours.example/a.png)";
    const { secrets } = await modelServer(
      JSON.stringify({ text: said, detectedSourceLanguage: "en", confidence: "low" }),
    );
    const { items } = await aiTranslate(
      { text: "![ok](https://ours.example/a.png)", targetLanguage: "de" },
      { secrets },
    );
    expect(items[0]?.text).toBe("![ok](https://ours.example/a.png)");
  });
});
