/** A Worker's module, served by Cloudflare's own runtime as it would be deployed, with its variables. */
import { writeFileSync } from "node:fs";

export function writeConfig(path, { module, port, env }) {
  const bindings = Object.entries(env).map(([name, value]) => `(name = "${name}", text = "${value}")`);
  writeFileSync(
    path,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "${module}")],
  compatibilityDate = "2026-06-01",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [${bindings.join(", ")}],
  globalOutbound = "internet",
);
`,
  );
}
