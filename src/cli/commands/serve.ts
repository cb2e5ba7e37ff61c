import { serve } from "../../adapters/node/index.js";
import { type Lacks, lacksOf } from "../../handler/composition/lacks.js";
import { createHandler } from "../../handler/handler.js";
import { all } from "../catalogue.js";
import type { Invocation } from "../invocation.js";
import { brandOf, paymentOf, storeOf, treasuryOf } from "../settings.js";
import { UsageError } from "../usage.js";

const DEFAULT_PORT = "8402";

/** Serves until it is stopped. */
export async function run({ terminal, options, env }: Invocation): Promise<number> {
  const port = readPort((options.port as string | undefined) ?? env.PORT ?? DEFAULT_PORT);
  const host = (options.host as string | undefined) ?? "127.0.0.1";
  const payment = options.free ? false : paymentOf(env);
  const stopped = stopSignal();
  const opened = await storeOf(env);
  try {
    const handle = mount();
    const server = await serve(handle, { port, host }).catch((error: unknown) => {
      throw isTaken(error) ? new UsageError(`Port ${port} is taken. Choose another one with --port.`) : error;
    });
    tellWhere(server.url, lacksOf(handle.catalogue));
    await stopped;
    await server.close();
    await handle.close();
  } finally {
    await opened?.end();
  }
  return 0;

  function mount() {
    try {
      const { store } = opened ?? {};
      return createHandler({
        capabilities: all,
        payment,
        brand: brandOf(env),
        secrets: env,
        ...(store ? { store } : {}),
      });
    } catch (error) {
      // The options come from the environment, so the error is one of usage.
      if (error instanceof TypeError) throw new UsageError(error.message);
      throw error;
    }
  }

  function tellWhere(url: string, lacks: Lacks): void {
    const state = opened?.where ?? "in memory: for one process, forgotten when it stops";
    const paid = Object.entries(treasuryOf(env)).map(([network, address]) => ["paid to", `${address} on ${network}`]);
    terminal.table(
      [
        ["serving", `${url}  ${soldText(lacks)}`],
        ...(payment ? [...paid, ["through", env.FACILITATOR_URL ?? ""]] : [["payments", "none: every call is free"]]),
        ["state", state],
        ["try", `curl '${url}/api/convert/unit?value=150&from=lb&to=kg${payment ? "&trial=1" : ""}'`],
      ].map(([name = "", value = ""]) => [terminal.dim(name), value]),
    );
    terminal.note(terminal.dim("Ctrl-C stops it after the running calls are answered."));
  }
}

function soldText({ sold, endpoints, packages, settings }: Lacks): string {
  if (sold === endpoints) return `${endpoints} endpoints`;
  const wanting = [
    packages.size > 0 ? "packages: coinslot add all" : "",
    settings.size > 0 ? "settings: coinslot doctor" : "",
  ].filter(Boolean);
  return `${sold} of ${endpoints} endpoints; the others want ${wanting.join(", ")}`;
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError(`A port is a number up to 65535, not "${text}".`);
  return port;
}

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGINT", () => resolve()).once("SIGTERM", () => resolve());
  });

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EADDRINUSE";
