/** Serves capabilities until the process is stopped, with the payments, the state and the brand of the environment. */
import { serve } from "../adapters/node/index.js";
import type { AnyCapability } from "../capability/types.js";
import { type Lacks, lacksOf } from "../handler/composition/lacks.js";
import { createHandler, type Handler } from "../handler/handler.js";
import type { HandlerOptions } from "../host/options.js";
import type { Invocation } from "./invocation.js";
import { brandOf, type OpenStore, paymentOf, storeOf, treasuryOf } from "./settings.js";
import { UsageError } from "./usage.js";

const DEFAULT_PORT = "8402";

export interface Serving {
  capabilities: readonly AnyCapability[];
  /** More options of the host, which those of the environment replace. */
  host?: Partial<Omit<HandlerOptions, "capabilities">>;
  /** Where it listens, unless the command line says it. */
  listen?: { port?: number; host?: string; trustProxyHops?: number; drainMs?: number };
  /** Who is paid. Default: what the environment says. */
  payment?: HandlerOptions["payment"] | undefined;
  /** Default: the store of the environment. */
  open?: () => Promise<OpenStore | undefined>;
  /** Called with the service that listens; resolves to what ends with it. */
  started?: (handle: Handler) => Promise<() => Promise<unknown>>;
  /** A command that tries it. */
  example(paid: boolean, url: string): string;
  /** More lines for the operator. */
  lines?: readonly [string, string][];
}

export async function serveUntilStopped(
  { terminal, options, env }: Invocation,
  { capabilities, host: more = {}, listen = {}, payment: paid, open, started, example, lines = [] }: Serving,
): Promise<number> {
  const port = readPort((options.port as string | undefined) ?? listen.port?.toString() ?? env.PORT ?? DEFAULT_PORT);
  const host = (options.host as string | undefined) ?? listen.host ?? "127.0.0.1";
  const payment = options.free || more.payment === false ? false : (paid ?? withMore(paymentOf(env), more.payment));
  const stopped = stopSignal();
  const opened = await (open ? open() : storeOf(env));
  try {
    const handle = mount();
    const server = await serve(handle, { ...listen, port, host }).catch((error: unknown) => {
      throw isTaken(error) ? new UsageError(`Port ${port} is taken. Choose another one with --port.`) : error;
    });
    tellWhere(server.url, lacksOf(handle.catalogue));
    const end = await started?.(handle);
    await stopped;
    await end?.();
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
        ...more,
        capabilities,
        payment,
        brand: paid === undefined ? { ...more.brand, ...brandOf(env) } : { ...brandOf(env), ...more.brand },
        secrets: paid === undefined ? env : (more.secrets ?? env),
        ...(store ? { store } : {}),
      });
    } catch (error) {
      // The options come from the environment or a file, so the error is one of usage.
      if (error instanceof TypeError) throw new UsageError(error.message);
      throw error;
    }
  }

  function tellWhere(url: string, lacks: Lacks): void {
    const state = opened?.where ?? "in memory: for one process, forgotten when it stops";
    const treasury = paid === undefined ? treasuryOf(env) : treasuryIn(paid);
    const receivers = Object.entries(treasury).map(([network, to]) => [
      "paid to",
      `${typeof to === "string" ? to : "several"} on ${network}`,
    ]);
    terminal.table(
      [
        ["serving", `${url}  ${soldText(lacks)}`],
        ...lines,
        ...(payment
          ? [...receivers, ...(paid === undefined ? [["through", env.FACILITATOR_URL ?? ""]] : [])]
          : [["payments", "none: every call is free"]]),
        ["state", state],
        ["try", example(payment !== false, url)],
      ].map(([name = "", value = ""]) => [terminal.dim(name), value]),
    );
    terminal.note(terminal.dim("Ctrl-C stops it after the running calls are answered."));
  }
}

/** A file's options of payments beside those of the environment, which say who is paid and through whom. */
const withMore = (payment: HandlerOptions["payment"], more: unknown): HandlerOptions["payment"] =>
  payment && typeof more === "object" && more !== null ? { ...more, ...payment } : payment;

const treasuryIn = (payment: HandlerOptions["payment"]) => (payment && "treasury" in payment ? payment.treasury : {});

function soldText({ sold, endpoints, packages, settings }: Lacks): string {
  if (sold === endpoints) return endpoints === 1 ? "1 endpoint" : `${endpoints} endpoints`;
  const wanting = [
    packages.size > 0 ? "packages: coinslot add all" : "",
    settings.size > 0 ? "settings: coinslot doctor" : "",
  ].filter(Boolean);
  return `${sold} of ${endpoints} endpoints; the others want ${wanting.join(", ")}`;
}

export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError(`A port is a number up to 65535, not "${text}".`);
  return port;
}

export const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGINT", () => resolve()).once("SIGTERM", () => resolve());
  });

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EADDRINUSE";
