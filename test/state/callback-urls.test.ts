/** Where callbacks may go: judged where one is made, before money and without a socket. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { pubsubCreateTopic, pubsubSubscribe } from "../../src/capabilities/pubsub/index.js";
import { scheduleCreate } from "../../src/capabilities/schedule/index.js";
import { watchersArm } from "../../src/capabilities/watchers/index.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { allowedUrls, refusedUrls } from "../support/urls.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { onBothEngines } from "../support/wallets-engine.js";
import { type Script, scripted } from "../support/watch-host.js";

const { "other ports": ports = [], ...others } = refusedUrls;
/** All that is refused, and the same by https, which alone would be a reason. */
const REFUSED = [...Object.values(others).flat(), ...ports].flatMap((url) => [
  url,
  ...(url.startsWith("http:") && !ports.includes(url) ? [url.replace("http:", "https:")] : []),
]);

onBothEngines("URLs of callbacks", (engine) => {
  let shop: WalletShop;
  const asked: string[] = [];
  const left: string[] = [];
  const script: Script = { value: 1, asked: [] };
  beforeAll(() => {
    const facilitator = fakeFacilitator();
    shop = openWalletShop({
      capabilities: [scheduleCreate, watchersArm, pubsubCreateTopic, pubsubSubscribe, scripted("test.figure", script)],
      wallets: engine.options({ runner: false }),
      facilitator,
      fetch: (input, init) => {
        const url = String(input instanceof Request ? input.url : input);
        // What a facilitator supports is asked at times of its own.
        if (!url.endsWith("/supported")) left.push(url);
        return facilitator.fetch(input, init);
      },
      outbound: {
        lookup: async (host) => {
          asked.push(host);
          return [{ address: "93.184.215.14", family: 4 }];
        },
      },
    });
  });
  afterAll(() => shop.handle.close());

  it("WAL-44 are refused for every operation that makes one, and nobody is asked or paid", async () => {
    const as = { wallet: "w" };
    const call = (id: string, input: object) => shop.handle.call(id as never, input as never, as);
    const made = (await call("pubsub.create-topic", { name: "t" })) as { items: [{ topicId: string }] };
    const [{ topicId }] = made.items;
    const inputs: Record<string, object> = {
      "schedule.create": { everySeconds: 3600 },
      "watchers.arm": { endpoint: "test.figure", conditionType: "changed" },
      "pubsub.subscribe": { topicId },
    };
    const before = [left.length, asked.length];
    for (const [id, input] of Object.entries(inputs))
      for (const callbackUrl of REFUSED) {
        const error = await call(id, { ...input, callbackUrl }).catch((error) => error);
        expect([id, callbackUrl, error.status, error.issues?.map(({ path }: { path: string }) => path)]).toEqual([
          ...[id, callbackUrl, 400, ["callbackUrl"]],
        ]);
      }
    expect([left.length, asked.length, script.asked]).toEqual([...before, []]);
    const [id, input] = ["watchers.arm", { ...inputs["watchers.arm"], callbackUrl: "https://10.0.0.1/" }];
    const payment = await shop.payFor(id, input);
    const refused = await shop.pay(id, input, payment);
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: "URL_NOT_ALLOWED" }]);
    expect(shop.facilitator.settled).toEqual([]);
  });

  it("WAL-44 pass where they only look like such", async () => {
    for (const url of allowedUrls) {
      const callbackUrl = url.replace(/^http:/, "https:").replace(/ /g, "%20");
      const { items } = (await shop.handle.call(
        "schedule.create" as never,
        { everySeconds: 3600, callbackUrl } as never,
        { wallet: "w" },
      )) as { items: unknown[] };
      expect([callbackUrl, items.length]).toEqual([callbackUrl, 1]);
    }
  });
});
