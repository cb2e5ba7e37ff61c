import type { HandlerOptions } from "../../host/options.js";
import { all } from "../catalogue.js";
import { gatewayOf, tryLine } from "../gateway.js";
import type { Invocation } from "../invocation.js";
import { readPort, stopSignal } from "../serving.js";

/** Serves everything, or a gateway, for play money until it is stopped: a chain, a facilitator and a buyer of its own. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options, env } = invocation;
  const port = readPort((options.port as string | undefined) ?? env.PORT ?? "8402");
  const gateway = options.config === undefined ? undefined : await gatewayOf(invocation, "sandbox");
  const capabilities = gateway?.capabilities ?? all;
  const stopped = stopSignal();
  const { testShop } = await import("../../testing/index.js");
  const { payment, ...host } = (gateway?.host ?? {}) as Partial<HandlerOptions>;
  const shop = await testShop({
    ...host,
    ...(payment ? { payment } : {}),
    capabilities,
    port,
    secrets: env,
  } as Parameters<typeof testShop>[0]);
  const lines = gateway ? ofGateway() : ofAll();
  terminal.table(
    [
      ["serving", `${shop.url}  ${capabilities.length} endpoints, for play money`],
      ["chain", `${shop.rpcUrl}  a copy of Base in memory`],
      ["buyer", `WALLET_KEY=${shop.buyerKey}  100 test USDC`],
      ...lines,
    ].map(([name = "", value = ""]) => [terminal.dim(name), value]),
  );
  terminal.note(terminal.dim("Ctrl-C stops it and forgets everything."));
  await stopped;
  await shop.close();
  return 0;

  function ofAll(): string[][] {
    return [
      ["try", `curl '${shop.url}/api/convert/unit?value=150&from=lb&to=kg&trial=1'`],
      ["pay", `WALLET_KEY=… npx coinslot call convert.unit value=150 from=lb to=kg --url ${shop.url}`],
    ];
  }

  function ofGateway(): string[][] {
    return [["try", tryLine(capabilities[0], shop.url, false)]];
  }
}
