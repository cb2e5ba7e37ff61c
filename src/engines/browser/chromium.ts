/** Finds a browser: one that runs elsewhere, the host's own, or that of an npm package. */

import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { importPuppeteer } from "../../lib/packages/packages.js";
import { threadOptions } from "../../lib/threads/thread-options.js";
import { Worker } from "../../lib/threads/threads.js";
import { withinMemory } from "./memory.js";

export interface BrowserSettings {
  /** `BROWSER_WS_ENDPOINT`: a running browser. It must reach this process's loopback addresses. */
  endpoint?: string | undefined;
  /** `CHROMIUM_PATH`: an executable. */
  path?: string | undefined;
  /** `CHROMIUM_ARGS`: further command line switches, separated by blanks. */
  args?: string | undefined;
  /** Folder for the package's unpacked browser. */
  dataDir: string;
  /** Memory limit of each of its processes. Default: 1 GB, if the system has such limits. */
  processBytes?: number | undefined;
}

interface Executable {
  executablePath: string;
  fontConfig?: string;
}

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * Sends every connection through a context's proxy, and connections without a context to a closed port. Chromium would
 * send loopback and link-local addresses past a proxy, and a proxy cannot carry WebRTC and QUIC.
 */
const CONFINED = [
  // A port that only an administrator could listen on, and nobody does.
  "--proxy-server=http://127.0.0.1:1",
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--dns-prefetch-disable",
  "--no-pings",
  "--disable-domain-reliability",
  "--deny-permission-prompts",
  "--font-render-hinting=none",
  "--disk-cache-size=1",
  // A page that takes too much memory loses only its own process.
  "--js-flags=--max-old-space-size=512",
];

/** Default switches of the library that are removed. */
const UNWANTED = ["--disable-popup-blocking", "--disable-ipc-flooding-protection"];

const LAUNCH_TIMEOUT_MS = 20_000;

const puppeteer = lazy(importPuppeteer);

/** Starts a browser or connects to one. Rejects with PROVIDER_NOT_CONFIGURED without one. */
export async function openBrowser(settings: BrowserSettings): Promise<Browser> {
  const library = await puppeteer().catch(() => {
    throw notConfigured("install the package puppeteer-core");
  });
  if (settings.endpoint) return library.connect({ browserWSEndpoint: settings.endpoint, defaultViewport: null });
  const { executablePath, fontConfig } = await findExecutable(settings);
  const own = [...CONFINED, ...(settings.args?.split(/\s+/).filter(Boolean) ?? [])];
  const usual = library.defaultArgs({ headless: "shell", args: own }).filter((arg) => !UNWANTED.includes(arg));
  const { path, args } = withinMemory(executablePath, usual, settings.processBytes);
  const browser = await library.launch({
    executablePath: path,
    headless: "shell",
    // Without a port to connect to; and a browser whose pipe closes ends, however this process ended.
    pipe: true,
    defaultViewport: null,
    timeout: LAUNCH_TIMEOUT_MS,
    // Our own list contains the needed ones.
    ignoreDefaultArgs: true,
    args,
    ...(fontConfig ? { env: { FONTCONFIG_FILE: fontConfig, HOME: settings.dataDir } } : {}),
  });
  releaseProcess(browser);
  return browser;
}

/** An idle browser does not keep the process alive; a call that uses it does. */
function releaseProcess(browser: Browser): void {
  const child = browser.process();
  if (!child) return;
  child.unref();
  for (const stream of child.stdio)
    if (stream && "unref" in stream && typeof stream.unref === "function") stream.unref();
  const profile = child.spawnargs.find((argument) => argument.startsWith(PROFILE))?.slice(PROFILE.length);
  if (!profile) return;
  // Puppeteer kills the browser with this process, but cannot clean up then.
  const remove = () => rmSync(profile, { recursive: true, force: true });
  process.once("exit", remove);
  child.once("exit", () => process.removeListener("exit", remove));
}

const PROFILE = "--user-data-dir=";

async function findExecutable({ path, dataDir }: BrowserSettings): Promise<Executable> {
  if (path) {
    if (!existsSync(path)) throw notConfigured("CHROMIUM_PATH leads to no file");
    return { executablePath: path };
  }
  const found = USUAL_PLACES.find((place) => existsSync(place));
  if (found) return { executablePath: found };
  const folder = await unpack(dataDir);
  return { executablePath: join(folder, "chromium"), fontConfig: join(folder, "fonts.conf") };
}

/** The worker's message. */
interface UnpackReply {
  folder?: string;
  error?: string;
}

async function unpack(dataDir: string): Promise<string> {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { ...threadOptions(), workerData: dataDir });
  try {
    const [message]: UnpackReply[] = await once(worker, "message");
    if (!message?.folder) throw new Error(message?.error);
    return message.folder;
  } catch (cause) {
    throw notConfigured(
      "install the package @sparticuz/chromium (Linux on x64), or set CHROMIUM_PATH to a Chromium or Chrome, or " +
        "BROWSER_WS_ENDPOINT to one that runs",
      cause,
    );
  } finally {
    void worker.terminate();
  }
}

function notConfigured(wayOut: string, cause?: unknown): CapabilityError {
  return new CapabilityError("PROVIDER_NOT_CONFIGURED", `No browser is installed here: ${wayOut}.`, { cause });
}
