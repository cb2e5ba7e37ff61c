/** A Worker's module, served by Cloudflare's own runtime as it would be deployed, with its variables and its Durable Object. */
import { writeFileSync } from "node:fs";

/** That of examples/workers/wrangler.jsonc, and of the documents. */
export const COMPATIBILITY_DATE = "2026-04-01";

export function writeConfig(path, { module, port, env, state }) {
  const bindings = Object.entries(env).map(([name, value]) => `(name = "${name}", text = "${value}")`);
  bindings.push('(name = "COINSLOT", durableObjectNamespace = "CoinslotStore")');
  writeFileSync(
    path,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "state", disk = (path = "${state}", writable = true)),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "${module}")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [${bindings.join(", ")}],
  durableObjectNamespaces = [(className = "CoinslotStore", uniqueKey = "coinslot", enableSql = true)],
  durableObjectStorage = (localDisk = "state"),
  globalOutbound = "internet",
);
`,
  );
}
