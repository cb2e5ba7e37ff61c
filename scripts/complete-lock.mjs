// Adds to package-lock.json what npm leaves out when a registry does not carry the binaries of other platforms: an
// entry for each optional dependency, so that `npm ci` works everywhere. Run it after `npm install` changed the lock.
import { readFileSync, writeFileSync } from "node:fs";

const PLATFORMS = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "aix",
  "win32",
];
const CPUS = { amd64: "x64", x64: "x64", arm64: "arm64", arm: "arm", ia32: "ia32", riscv64: "riscv64", s390x: "s390x" };
const OTHER_CPUS = { ppc64: "ppc64", ppc64le: "ppc64", loong64: "loong64", mips64el: "mips64el", wasm32: "wasm32" };

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const { packages } = lock;

/** Where Node would find a dependency of the package at `from`. */
function find(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const path = `${at ? `${at}/` : ""}node_modules/${name}`;
    if (packages[path]) return path;
    if (at === "") return undefined;
    if (!at.includes("/node_modules/")) at = "";
  }
}

/** Such packages carry their platform in their name: @scope/tool-linux-arm64-musl. */
function platformOf(name) {
  const words = name.split(/[-/@.]/);
  const cpus = { ...CPUS, ...OTHER_CPUS };
  const os = words.find((word) => PLATFORMS.includes(word)) ?? (words.includes("windows") ? "win32" : undefined);
  const cpu = words.find((word) => word in cpus) ?? words.find((word) => /^arm/.test(word));
  const libc = words.some((word) => word.startsWith("musl")) ? "musl" : words.includes("gnu") ? "glibc" : undefined;
  return {
    ...(cpu ? { cpu: [cpus[cpu] ?? "arm"] } : {}),
    ...(os ? { os: [os] } : {}),
    ...(os === "linux" && libc ? { libc: [libc] } : {}),
  };
}

let added = 0;
for (const [path, entry] of Object.entries({ ...packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (find(path, name)) continue;
    if (!/^\d/.test(version)) continue;
    const platform = platformOf(name);
    if (!platform.os && !platform.cpu) continue;
    packages[`node_modules/${name}`] = { version, ...(entry.dev ? { dev: true } : {}), optional: true, ...platform };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`package-lock.json: ${added} entries of other platforms added`);
