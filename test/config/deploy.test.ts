/** Files in `deploy/` beside those of Prometheus: who they run as, what they ask, and whether the service understands them. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { hostFileOf } from "../../src/cli/config/serve-file.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { coinslotHere } from "../support/cli.js";
import { pathFromRoot } from "../support/render-indexes.js";

const read = (path: string) => readFileSync(pathFromRoot(`deploy/${path}`), "utf8");
const folder = mkdtempSync(join(tmpdir(), "coinslot-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = Object.fromEntries(
  read("docker/env.example")
    .split("\n")
    .filter((line) => line.includes("=") && !line.startsWith("#"))
    .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
);
const env = { ...settings, DATABASE_URL: "postgres://localhost/coinslot", METRICS_TOKEN: "a-token-of-the-host" };

async function paths(file: string): Promise<(path: string) => Promise<number>> {
  const { options } = await hostFileOf(file, env);
  const handle = createHandler({ ...options, metrics: true, payment: false, logger: silent });
  return async (path) => (await handle(new Request(`http://a.test${path}`))).status;
}

describe("deploy/docker", () => {
  const dockerfile = read("docker/Dockerfile");
  const compose = parse(read("docker/compose.yaml")) as {
    services: Record<string, Record<string, unknown> & { image?: string; healthcheck?: object }>;
  };

  it("runs as nobody's own user, asks a page that is there, and names no floating image", async () => {
    const stages = dockerfile.split(/^FROM /m).slice(1);
    for (const name of ["service", "browser"]) {
      const stage = stages.find((text) => text.split("\n")[0]?.endsWith(`AS ${name}`)) ?? "";
      expect([name, /\nUSER 10001:10001$/m.test(stage), stage.lastIndexOf("USER") > stage.lastIndexOf("RUN")]).toEqual([
        name,
        true,
        true,
      ]);
    }
    expect(stages.at(-1)).toContain("AS service");
    const [, asked = ""] = /http:\/\/127\.0\.0\.1:8402(\/[\w/]+)/.exec(dockerfile) ?? [];
    const status = await paths(pathFromRoot("deploy/docker/coinslot.yaml"));
    expect([asked, await status(asked)]).toEqual(["/api/readyz", 200]);
    for (const { image } of Object.values(compose.services)) expect(image ?? "a:1").toMatch(/:\d/);
  });

  it("writes nowhere but to memory, holds no rights, and waits for its database", () => {
    const { service, postgres, redis } = compose.services;
    expect(service).toMatchObject({
      ...{ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] },
      depends_on: { postgres: { condition: "service_healthy" } },
    });
    expect([postgres?.healthcheck, redis?.healthcheck]).not.toContain(undefined);
    expect(redis?.command).toContain("noeviction");
  });

  it("has every setting that its file names", () => {
    const named = [...`${read("docker/coinslot.yaml")}`.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? "");
    expect(named.filter((name) => !Object.hasOwn(env, name))).toEqual([]);
    expect(named).toContain("TREASURY");
  });
});

describe("deploy/kubernetes", () => {
  const objects = parseAllDocuments(read("kubernetes/coinslot.yaml")).map(
    (document) => document.toJS() as { kind: string; spec: never; data?: Record<string, string> },
  );
  const of = (kind: string) => objects.find((one) => one.kind === kind);
  const pod = (of("Deployment") as unknown as { spec: { replicas: number; template: { spec: Pod } } }).spec;

  it("runs two that are seldom gone at once, without rights, on a file system that is read", () => {
    const [container] = pod.template.spec.containers;
    expect(pod.replicas).toBe(2);
    expect(of("PodDisruptionBudget")?.spec).toMatchObject({ minAvailable: 1 });
    expect(pod.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container?.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ["ALL"] },
    });
    expect(pod.template.spec.automountServiceAccountToken).toBe(false);
  });

  it("has a file that can be served, probes that are answered, and time to end", async () => {
    const file = join(folder, "coinslot.yaml");
    writeFileSync(file, of("ConfigMap")?.data?.["coinslot.yaml"] ?? "");
    const { listen } = await hostFileOf(file, env);
    const [container] = pod.template.spec.containers;
    const status = await paths(file);
    for (const probe of [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]) {
      const path = probe?.httpGet.path ?? "";
      expect([path, await status(path)]).toEqual([path, 200]);
    }
    const grace = pod.template.spec.terminationGracePeriodSeconds;
    expect(grace).toBeGreaterThan((listen.drainMs ?? 0) / 1000 + 10);
    expect(container?.ports.map(({ containerPort }) => containerPort)).toContain(listen.port);
  });
});

it("deploy/terraform is formatted, where terraform is installed", ({ skip }) => {
  if (!existsSync("/usr/local/bin/terraform") && !existsSync("/usr/bin/terraform")) skip();
  expect(
    String(execFileSync("terraform", ["fmt", "-check", "-recursive", pathFromRoot("deploy/terraform")])),
  ).not.toContain(".tf");
});

describe("coinslot init --template resale", () => {
  it("makes a project whose file can be served with its settings", async () => {
    const made = join(folder, "my-data");
    const { code, out } = await coinslotHere(["init", made, "--template", "resale"]);
    expect([code, out]).toEqual([0, expect.stringContaining("npm run check")]);
    const { options } = await hostFileOf(join(made, "coinslot.yaml"), env);
    expect(options.brand?.name).toBe("My Data");
    const { scripts, dependencies } = JSON.parse(readFileSync(join(made, "package.json"), "utf8"));
    expect([scripts.start, dependencies.pg]).toEqual([expect.stringContaining("serve --config coinslot.yaml"), "^8"]);
    for (const name of ["Dockerfile", "compose.yaml", "env.example", ".dockerignore", ".gitignore", "README.md"])
      expect([name, existsSync(join(made, name))]).toEqual([name, true]);
    expect((await coinslotHere(["init", join(folder, "b"), "--template", "resell"])).err).toContain(
      "Did you mean resale?",
    );
    expect((await coinslotHere(["init", join(folder, "b"), "--template", "resale", "--store", "redis"])).code).toBe(2);
  });
});

interface Probe {
  httpGet: { path: string };
}

interface Pod {
  terminationGracePeriodSeconds: number;
  automountServiceAccountToken: boolean;
  securityContext: object;
  containers: {
    securityContext: object;
    ports: { containerPort: number }[];
    startupProbe: Probe;
    livenessProbe: Probe;
    readinessProbe: Probe;
  }[];
}
