import { describe, expect, it } from "vitest";
import { aiDescribeImage, aiImage, aiOcr } from "../../../src/capabilities/ai/index.js";
import { createContext } from "../../../src/capability/context.js";
import { modelRow, modelServer } from "../../support/model-server.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const picture = { status: 200, body: { created: 5, data: [{ b64_json: "AAAA", revised_prompt: "x" }], usage: {} } };
const pictureUrl = "https://pictures.example/a.png";
const lookup = async () => [{ address: "93.184.215.14", family: 4 }];

/** The gateway over its real socket; callers' pictures from here. */
const withPicture = (bytes: Uint8Array, type = "image/png"): typeof fetch => {
  return async (input, init) =>
    String(input).startsWith("https://pictures.example/")
      ? new Response(Buffer.from(bytes), { headers: { "content-type": type } })
      : fetch(input, init);
};

describe("ai.image", () => {
  it("gives pictures as base64 and nothing else", async () => {
    const { secrets, asked } = await modelServer(picture);
    await expect(
      aiImage({ model: "test/painter", prompt: "a cat", n: 2, size: "512x512" }, { secrets }),
    ).resolves.toEqual({
      created: 5,
      data: [{ b64_json: "AAAA" }],
    });
    expect(asked[0]).toMatchObject({
      path: "/v1/images/generations",
      body: { n: 2, size: "512x512", response_format: "b64_json" },
    });
  });

  it("asks again without response_format where that is not known", async () => {
    const refused = {
      status: 400,
      body: { error: { message: "Unknown parameter: 'response_format'.", param: "response_format" } },
    };
    const { secrets, asked } = await modelServer(({ body }) => ("response_format" in body ? refused : picture));
    await aiImage({ model: "test/painter", prompt: "a cat" }, { secrets });
    expect(asked).toHaveLength(2);
  });

  it("fetches a picture that comes as an address, through the guard", async () => {
    const { secrets } = await modelServer({ status: 200, body: { data: [{ url: pictureUrl }] } });
    const { data } = await aiImage(
      { model: "test/painter", prompt: "a cat" },
      { secrets, fetch: withPicture(PNG), outbound: { lookup } },
    );
    expect(data).toEqual([{ b64_json: PNG.toString("base64") }]);
    const inside = await modelServer({ status: 200, body: { data: [{ url: "https://169.254.169.254/" }] } });
    await expect(aiImage({ model: "test/painter", prompt: "x" }, { secrets: inside.secrets })).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
    });
  });

  it("is refused as its prompt's fault where a model answers in words, or with no picture at all", async () => {
    const models = [{ ...modelRow("test/draws", { image: "0.04", input: "0.000001", output: "0.000005" }) }];
    const inWords = await modelServer("I cannot draw that.", { models });
    const ask = (secrets: Record<string, string>, model: string) => aiImage({ model, prompt: "a word" }, { secrets });
    const refused = { code: "INVALID_INPUT", status: 400, issues: [{ path: "prompt" }] };
    await expect(ask(inWords.secrets, "test/draws")).rejects.toMatchObject(refused);
    for (const data of [[], [{}], [{ b64_json: "" }]]) {
      const empty = await modelServer({ status: 200, body: { data } });
      await expect(ask(empty.secrets, "test/painter")).rejects.toMatchObject(refused);
    }
    const odd = await modelServer({ status: 200, body: { pictures: 1 } });
    await expect(ask(odd.secrets, "test/painter")).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  it("quotes the piece times their number", async () => {
    const { secrets } = await modelServer();
    const ctx = createContext({ secrets }, { timeoutMs: 5000 });
    const quote = async (input: object) =>
      aiImage.quote((await aiImage.parse({ prompt: "x", ...input }, ctx)).input, ctx);
    expect(await quote({ model: "test/painter", n: 2 })).toBe(96_000n);
    await expect(quote({ model: "test/fast" })).rejects.toMatchObject({ issues: [{ path: "model" }] });
  });

  it("tells the caller that a prompt was refused", async () => {
    const { secrets } = await modelServer({
      status: 400,
      body: { error: { message: "no", code: "moderation_blocked" } },
    });
    await expect(aiImage({ model: "test/painter", prompt: "x" }, { secrets })).rejects.toMatchObject({
      issues: [{ path: "prompt" }],
    });
  });
});

describe("a picture for a model to look at", () => {
  const description = JSON.stringify({
    altText: "A red square",
    description: "A red square on white.",
    contentType: "illustration",
    text: "",
    mainObjects: ["square", " "],
    dominantColors: ["#FF0000", "red", "#fff"],
  });

  it("goes to the vendor as data, and never as the caller's address", async () => {
    const { secrets, asked } = await modelServer(description);
    const options = { secrets, fetch: withPicture(PNG), outbound: { lookup } };
    const { items } = await aiDescribeImage({ imageUrl: pictureUrl, instruction: "Count." }, options);
    // LLM-5: colours that are none are left out.
    expect(items[0]).toMatchObject({ imageUrl: pictureUrl, mainObjects: ["square"], dominantColors: ["#ff0000"] });
    const sent = JSON.stringify(asked[0]?.body);
    expect(sent).toContain(`data:image/png;base64,${PNG.toString("base64")}`);
    expect(sent).not.toContain("pictures.example");
  });

  it.each([
    ["is a page", Buffer.from("<html>"), "INVALID_INPUT"],
    ["is an SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "INVALID_INPUT"],
    ["is too large", Buffer.alloc(1024 * 1024 + 1), "RESULT_TOO_LARGE"],
  ])("SSRF-10 is refused where it %s, and no model is asked", async (_, bytes, code) => {
    const { secrets, asked } = await modelServer(description);
    const call = aiOcr({ imageUrl: pictureUrl }, { secrets, fetch: withPicture(bytes), outbound: { lookup } });
    await expect(call).rejects.toMatchObject({ code });
    expect(asked).toHaveLength(0);
  });
});
