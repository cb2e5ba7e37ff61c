/** Operations of an OpenAPI document as endpoints, tools and documents of the host. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { type PaymentRequired, x402Client } from "@x402/fetch";
import { describe, expect, it, onTestFinished } from "vitest";
import { inputSchema } from "../../src/capability/json-schema.js";
import { flawsOf } from "../../src/gateway/judge.js";
import { readDocument } from "../../src/gateway/openapi.js";
import { proxied, readProxy } from "../../src/gateway/proxied.js";
import { openGateway, sendJson } from "../support/origin.js";
import { alice } from "../support/wallets.js";

const PETS = {
  openapi: "3.0.3",
  info: { title: "Pet Office", version: "1" },
  paths: {
    "/pets/{petId}": {
      parameters: [{ $ref: "#/components/parameters/PetId" }],
      get: {
        operationId: "getPetById",
        summary: "A pet by its number.",
        tags: ["pets"],
        parameters: [
          {
            name: "fields",
            in: "query",
            explode: false,
            schema: { type: "array", items: { type: "string", enum: ["name", "kind"] } },
          },
          { name: "X-Unit", in: "header", schema: { type: "string", default: "kg" } },
          { name: "session", in: "cookie", schema: { type: "string" } },
          { name: "Authorization", in: "header", schema: { type: "string" } },
        ],
        responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } } },
      },
      delete: { responses: { 204: {} } },
    },
    "/pets": {
      post: {
        operationId: "createPet",
        description: "Adds a pet.",
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/NewPet" }, example: { name: "Rex" } },
          },
        },
        responses: { 201: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } } },
      },
      put: {
        operationId: "upload",
        requestBody: { required: true, content: { "multipart/form-data": {} } },
        responses: {},
      },
    },
    "/pictures/{petId}": {
      get: {
        operationId: "getPicture",
        parameters: [
          { $ref: "#/components/parameters/PetId" },
          {
            name: "size",
            in: "query",
            style: "deepObject",
            schema: { type: "object", properties: { w: { type: "integer" } } },
          },
        ],
        responses: { 200: { content: { "image/*": {} } } },
      },
    },
  },
  components: {
    parameters: {
      PetId: { name: "petId", in: "path", required: true, schema: { type: "integer", minimum: 1 }, example: 7 },
    },
    schemas: {
      NewPet: {
        type: "object",
        required: ["name", "id"],
        properties: {
          id: { type: "integer", readOnly: true },
          name: { type: "string", minLength: 1, maxLength: 20, pattern: "^(a+)+$" },
          kind: { type: "string", nullable: true, enum: ["dog", "cat"] },
          parent: { $ref: "#/components/schemas/NewPet" },
        },
      },
      Pet: {
        allOf: [{ $ref: "#/components/schemas/NewPet" }, { type: "object", properties: { id: { type: "integer" } } }],
      },
    },
  },
};

const price = "0.003";

describe("an OpenAPI document", () => {
  it("becomes endpoints with their inputs, and tells what cannot be sold", () => {
    const { capabilities, left } = readProxy({ origin: "https://pets.example", group: "pets", openapi: PETS, price });
    expect(capabilities.map(({ id, method }) => `${method} ${id}`)).toEqual([
      "GET pets.get-pet-by-id",
      "POST pets.delete-pets-by-pet-id",
      "POST pets.create-pet",
      "POST pets.get-picture",
    ]);
    expect(left).toEqual([{ operation: "PUT /pets", because: "it takes a body that is neither JSON nor a form" }]);
    const [get, , create, picture] = capabilities;
    expect(get && inputSchema(get)).toMatchObject({
      type: "object",
      required: ["petId"],
      additionalProperties: false,
      properties: { petId: { type: "integer", minimum: 1 }, fields: {}, "X-Unit": { type: "string", maxLength: 2000 } },
    });
    expect(Object.keys((get && inputSchema(get).properties) ?? {})).toEqual(["petId", "fields", "X-Unit"]);
    expect(create && inputSchema(create)).toMatchObject({
      required: ["name"],
      properties: {
        name: { minLength: 1, maxLength: 20, pattern: "^(a+)+$" },
        kind: { enum: ["dog", "cat", null] },
        parent: {},
      },
    });
    expect([get?.summary, create?.summary, get?.source.provider]).toEqual([
      "A pet by its number.",
      "Adds a pet.",
      "Pet Office",
    ]);
    expect([get?.example, create?.example]).toMatchObject([{ petId: 7 }, { name: "Rex" }]);
    expect([get?.contentTypes, picture?.contentTypes]).toEqual([["application/json"], ["image/*"]]);
  });

  it("sells what is included, at the prices of routes", () => {
    const ids = (more: object) =>
      proxied({ origin: "https://pets.example", group: "pets", openapi: PETS, ...more }).map(({ id, price }) => [
        id,
        (price as { usd: string }).usd,
      ]);
    expect(ids({ price, include: ["GET /p*/*"] })).toEqual([
      ["pets.get-pet-by-id", price],
      ["pets.get-picture", price],
    ]);
    expect(ids({ price, exclude: ["createPet", "DELETE *"] })).toEqual([
      ["pets.get-pet-by-id", price],
      ["pets.get-picture", price],
    ]);
    expect(ids({ routes: [{ path: "/pets/{petId}", price: "0.5", name: "pet" }] })).toEqual([["pets.pet", "0.5"]]);
    expect(() => ids({ price, include: ["GET /dogs"] })).toThrow('no operation of the document is "GET /dogs"');
    expect(() => ids({ routes: [{ method: "PUT", path: "/pets", price }] })).toThrow("Give the route an `input`");
  });

  it("is asked as it says: styles of parameters, bodies without what only answers have", async () => {
    const { origin, shop } = await openGateway(
      { openapi: PETS, price },
      { payment: false, answer: (_, response) => sendJson(response, { id: 7 }) },
    );
    expect((await shop.get("/origin/get-pet-by-id?petId=7&fields=name,kind&X-Unit=lb")).status).toBe(200);
    expect((await shop.get("/origin/get-pet-by-id?petId=7&fields=name,size")).status).toBe(400);
    expect((await shop.get("/origin/get-pet-by-id?petId=0")).status).toBe(400);
    const post = (path: string, body: object) =>
      shop.handle(
        new Request(`http://shop.test/api/origin/${path}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      );
    // A pattern of the document keeps nobody busy: the origin judges it.
    expect((await post("create-pet", { name: "aaaaaaaaaaaaaaaaaaa!", kind: null, parent: { name: "a" } })).status).toBe(
      200,
    );
    expect((await post("create-pet", { name: "Rex", id: 1 })).status).toBe(400);
    origin.answer = (_, response) => response.writeHead(200, { "content-type": "image/png" }).end("png");
    expect((await post("get-picture", { petId: 7, size: { w: 5 } })).headers.get("content-type")).toBe("image/png");
    origin.answer = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>");
    expect((await post("get-picture", { petId: 7 })).status).toBe(502);
    origin.answer = (_, response) => response.writeHead(204).end();
    expect(await (await post("delete-pets-by-pet-id", { petId: 7 })).text()).toBe("");
    expect(origin.asked.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      "GET /pets/7?fields=name%2Ckind ",
      'POST /pets {"name":"aaaaaaaaaaaaaaaaaaa!","kind":null,"parent":{"name":"a"}}',
      "GET /pictures/7?size%5Bw%5D=5 ",
      "GET /pictures/7 ",
      "DELETE /pets/7 ",
    ]);
    expect(origin.asked[0]?.headers["x-unit"]).toBe("lb");
  });

  it("GW-6 that refers to itself without end costs no more than its bound", () => {
    const two = (name: string) => ({
      type: "object",
      properties: { a: { $ref: `#/components/schemas/${name}` }, b: { $ref: `#/components/schemas/${name}` } },
    });
    const schemas = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`S${n}`, two(`S${n + 1}`)]));
    const bomb = {
      openapi: "3.1.0",
      paths: {
        "/a": {
          post: {
            requestBody: {
              required: true,
              content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } },
            },
          },
        },
        "/b": { post: { requestBody: { content: { "application/json": { schema: { $ref: "#/paths/~1b/post" } } } } } },
        "/c": { get: { parameters: [{ $ref: "#/loop" }] } },
        "/d": { get: { parameters: [{ name: "__proto__", in: "query", required: true, schema: {} }] } },
      },
      loop: { $ref: "#/loop" },
      components: { schemas },
    };
    const { operations, left } = readDocument(bomb);
    expect(operations.map(({ path }) => path)).toEqual(["/a", "/b", "/c"]);
    expect(JSON.stringify(operations).length).toBeLessThan(500_000);
    expect(left).toMatchObject([{ operation: "GET /d" }]);
  });

  it("GW-6 and an input that fits none of its many forms cost bounded work, and few lines of an answer", async () => {
    const forms = (depth: number): object =>
      depth === 0
        ? { type: "object", properties: { a: { type: "string" } }, required: ["a"] }
        : { anyOf: [forms(depth - 1), forms(depth - 1)] };
    const openapi = {
      openapi: "3.1.0",
      paths: {
        "/a": {
          post: {
            operationId: "a",
            requestBody: {
              required: true,
              content: { "application/json": { schema: { type: "array", items: forms(9) } } },
            },
          },
        },
      },
    };
    const { shop } = await openGateway({ openapi, price });
    const before = process.memoryUsage().heapUsed;
    const response = await shop.handle(
      new Request("http://shop.test/api/origin/a", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ body: Array(100_000).fill(0) }),
      }),
    );
    expect([response.status, (await response.text()).length < 4000]).toEqual([400, true]);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(300_000_000);
  });

  it("GW-6 judges so much of an input, and leaves the rest to the origin", () => {
    let judged = 0;
    const items = {
      get type() {
        judged++;
        return "integer";
      },
    };
    expect(flawsOf(Array(400_000).fill(1), { type: "array", items })).toEqual([]);
    expect([judged > 200_000, judged < 310_000]).toEqual([true, true]);
    expect(flawsOf([1, "a", ...Array(99).fill(null)], { items: { type: "integer" } })).toHaveLength(20);
  });

  it("GW-6 a document of thousands of operations has less room for each of them", () => {
    const name = (n: number) => `S${n % 50}`;
    const schemas = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [
        name(n),
        {
          type: "object",
          properties: Object.fromEntries(
            Array.from({ length: 9 }, (_, at) => [`p${at}`, { $ref: `#/components/schemas/${name(n + at + 1)}` }]),
          ),
        },
      ]),
    );
    const paths = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [
        `/r${n}`,
        {
          post: {
            requestBody: {
              required: true,
              content: { "application/json": { schema: { $ref: `#/components/schemas/${name(n)}` } } },
            },
          },
        },
      ]),
    );
    const document = { openapi: "3.1.0", paths, components: { schemas } };
    const size = (of: object) => JSON.stringify(readDocument(of).operations).length;
    expect(size(document)).toBeLessThan(6_000_000);
    expect(size({ ...document, paths: Object.fromEntries(Object.entries(paths).slice(0, 10)) })).toBeGreaterThan(
      100_000,
    );
  });

  it("tells names apart: a parameter and a field of one name, words of the protocol, a body that is a list", async () => {
    const parameter = (name: string, place: string) => ({
      name,
      in: place,
      required: place === "path",
      schema: { type: "string" },
    });
    const body = (schema: object) => ({ required: true, content: { "application/json": { schema } } });
    const openapi = {
      openapi: "3.1.0",
      paths: {
        "/a/{id}": {
          post: {
            operationId: "a",
            parameters: [parameter("id", "path"), parameter("id", "query")],
            requestBody: body({ type: "object", properties: { id: { type: "integer" } } }),
          },
        },
        "/b": { post: { operationId: "b", requestBody: body({ type: "array", items: { type: "integer" } }) } },
        "/c": { get: { operationId: "c", parameters: [parameter("trial", "query")] } },
      },
    };
    const { origin, shop, capabilities } = await openGateway({ openapi, price }, { payment: false });
    const [a, b, c] = capabilities.map((one) => Object.keys(inputSchema(one).properties ?? {}));
    expect([a, b, c]).toEqual([["id", "query_id", "body"], ["body"], ["query_trial"]]);
    await shop.handle.call("origin.a", { id: "x", query_id: "y", body: { id: 1 } } as never);
    await shop.handle.call("origin.b", { body: [1, 2] } as never);
    await shop.get("/origin/c?query_trial=yes");
    expect(origin.asked.map(({ url, body: text }) => `${url} ${text}`)).toEqual([
      '/a/x?id=y {"id":1}',
      "/b [1,2]",
      "/c?trial=yes ",
    ]);
  });

  it("is tools of models, which pay for them", async () => {
    const { origin, shop } = await openGateway(
      { openapi: PETS, price, exclude: ["DELETE *"] },
      { trial: false, answer: (_, response) => sendJson(response, { name: "Rex" }) },
    );
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL("http://shop.test/api/mcp"), {
      fetch: (input, init) => shop.handle(new Request(input, init), { clientAddress: "203.0.113.7" }),
    });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["origin_get_pet_by_id", "origin_create_pet"]),
    );
    const ask = (meta: object = {}) =>
      client.callTool({ name: "origin_get_pet_by_id", arguments: { petId: 7 }, _meta: { ...meta } });
    const quote = (await ask()).structuredContent as unknown as PaymentRequired;
    const payment = await new x402Client()
      .register("eip155:8453", new ExactEvmScheme(alice))
      .createPaymentPayload(quote);
    const paid = await ask({ "x402/payment": payment });
    expect(JSON.stringify(paid.content)).toContain("Rex");
    expect(paid._meta?.["x402/payment-response"]).toMatchObject({ success: true });
    expect([origin.asked.length, shop.facilitator.settled.map(({ value }) => value)]).toEqual([1, [3000n]]);
  });
});
