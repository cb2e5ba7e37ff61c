/** Keeps a running service by its file: prices, stops and lists of payers change when the file does, or on SIGHUP. */
import { unwatchFile, watchFile } from "node:fs";
import type { Handler } from "../../handler/handler.js";
import type { Terminal } from "../terminal.js";
import type { HostFile } from "./host-file.js";

/** A file that is mounted is swapped by a link, which no watcher of the system tells, so it is looked at. */
const LOOK_MS = 2000;
/** The store may not answer yet when the service starts. */
const AGAIN_MS = 10_000;

export interface Reloading {
  handle: Pick<Handler, "configure">;
  terminal: Pick<Terminal, "note">;
  first: HostFile;
  /** Reads the file anew. */
  read(): Promise<HostFile>;
}

export interface Reloads {
  /** Reads the file and sets its rules, after those that are under way. Never rejects. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

export async function startReloads({ handle, terminal, first, read }: Reloading): Promise<Reloads> {
  const tell = (text: string) => terminal.note(`config: ${text}`);
  let told = "";
  let retry: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let wanted = false;

  async function set({ rules, hide }: HostFile): Promise<void> {
    clearTimeout(retry);
    try {
      await handle.configure(rules);
    } catch (error) {
      tell(`prices, stops and payers could not be set: ${hide(messageOf(error))}`);
      // A rule that is wrong stays so; a store that is down comes back.
      if (!(error instanceof TypeError)) retry = setTimeout(() => void reload(), AGAIN_MS).unref();
    }
  }

  async function readAndSet(): Promise<void> {
    wanted = false;
    let next: HostFile;
    try {
      next = await read();
    } catch (error) {
      tell(`the file is wrong, so what it said before holds: ${messageOf(error)}`);
      return;
    }
    const names = changedNames(first.fixed, next.fixed);
    const later = names.length > 0 ? `a restart is needed for: ${names.join(", ")}` : "";
    if (later !== "" && later !== told) tell(later);
    told = later;
    await set(next);
    tell("read again; prices, stops and payers are those of the file, on all instances of the store");
  }

  function reload(): Promise<void> {
    // Several changes while one is read are one more reading.
    if (!wanted) running = running.then(readAndSet);
    wanted = true;
    return running;
  }

  const onChange = (now: { mtimeMs: number; ino: number }, before: { mtimeMs: number; ino: number }) => {
    if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) void reload();
  };
  const onSignal = () => void reload();
  await set(first);
  watchFile(first.file, { interval: LOOK_MS, persistent: false }, onChange);
  process.on("SIGHUP", onSignal);
  return {
    reload,
    async stop() {
      clearTimeout(retry);
      process.removeListener("SIGHUP", onSignal);
      unwatchFile(first.file, onChange);
      await running;
    },
  };
}

function changedNames(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names].filter((name) => before.get(name) !== now.get(name)).sort();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "it failed");
