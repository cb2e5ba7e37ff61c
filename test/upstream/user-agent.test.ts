import { expect, it } from "vitest";
import { bioSpecies } from "../../src/capabilities/bio/species.js";
import { createHandler } from "../../src/handler/handler.js";
import { fakeUpstream } from "../support/upstream.js";

it("upstreams are asked under the brand of the host that serves the call", async () => {
  const { fetch, seen } = fakeUpstream([{ url: "", status: 404 }]);
  const handle = createHandler({ capabilities: [bioSpecies], payment: false, brand: { name: "Acme" }, fetch });
  await handle(new Request("http://127.0.0.1/api/bio/species?name=Passer%20domesticus"));
  expect(seen.map(({ headers }) => headers.get("user-agent"))).toEqual(["Acme"]);
});
