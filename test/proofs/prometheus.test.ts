/** The alerts and the dashboard in `deploy/`, tried by a real Prometheus on a page that a real host serves. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { INSTRUMENTS, type InstrumentName, prometheusName } from "../../src/metrics/instruments.js";
import { pathFromRoot } from "../support/render-indexes.js";
import { announceSkip } from "../support/server.js";
import { openShop } from "../support/shop.js";

const ALERTS = pathFromRoot("deploy/prometheus/alerts.yml");
const DASHBOARD = pathFromRoot("deploy/grafana/dashboard.json");
const RUNBOOK = readFileSync(pathFromRoot("docs/operating.md"), "utf8");

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}
const expressions = (JSON.parse(readFileSync(DASHBOARD, "utf8")) as Dashboard).panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "5m")),
);
const alerts = readFileSync(ALERTS, "utf8");

const isInstalled = (program: string): boolean => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const hasPrometheus = isInstalled("promtool") && isInstalled("prometheus");
if (!hasPrometheus) announceSkip("alerts and dashboard in Prometheus", "there is no prometheus");

describe("what deploy/ asks", () => {
  it("is measured: every name is one of ours, or of the process", () => {
    const known = new Set((Object.keys(INSTRUMENTS) as InstrumentName[]).map(prometheusName));
    const asked = [...`${expressions.join("\n")}\n${alerts}`.matchAll(/\bcoinslot_\w+/g)].map(([name]) => name);
    const unknown = asked.filter((name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, "")) && !known.has(name));
    expect(unknown).toEqual([]);
    expect(asked.length).toBeGreaterThan(30);
  });

  it("has a line of the runbook for each alert", () => {
    const named = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(named.filter((name) => !RUNBOOK.includes(`| \`${name}\` |`))).toEqual([]);
    expect(named.length).toBeGreaterThan(8);
  });
});

describe.runIf(hasPrometheus)("in a real Prometheus", () => {
  const folder = mkdtempSync(join(tmpdir(), "coinslot-prometheus-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("the alerts fire on what they are about", () => {
    const told = execFileSync("promtool", ["test", "rules", pathFromRoot("deploy/prometheus/alerts.test.yml")]);
    expect(String(told)).toContain("SUCCESS");
  });

  it("scrapes a host by its token, and answers each question of the dashboard", async () => {
    const token = "a-token-of-the-host";
    const told: { url?: string }[] = [];
    const logger = { ...silent, info: (facts: object) => void told.push(facts) };
    const shop = openShop({ metrics: { port: 0, token }, logger });
    await shop.get("/test/work?n=1");
    await shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1"));
    const page = await vi.waitFor(() => {
      const url = told.find((facts) => facts.url?.endsWith("/metrics"))?.url;
      if (url === undefined) throw new Error("the port is not open yet");
      return new URL(url);
    });
    const port = await freePort();
    writeFileSync(
      join(folder, "prometheus.yml"),
      JSON.stringify({
        global: { scrape_interval: "1s", evaluation_interval: "1s" },
        rule_files: [ALERTS],
        scrape_configs: [
          {
            job_name: "coinslot",
            authorization: { credentials: token },
            static_configs: [{ targets: [page.host] }],
          },
        ],
      }),
    );
    const server = spawn(
      "prometheus",
      [
        `--config.file=${join(folder, "prometheus.yml")}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
        "--log.level=error",
      ],
      { stdio: "inherit" },
    );
    try {
      const query = async (expr: string) => {
        const asked = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expr)}`);
        return (await asked.json()) as {
          status: string;
          error?: string;
          data: { result: { value: [number, string] }[] };
        };
      };
      const paid = 'coinslot_calls_total{outcome="paid",endpoint="test.work"}';
      await vi.waitFor(
        async () => expect((await query(paid)).data.result.map(({ value }) => value[1])).toEqual(["1"]),
        { timeout: 60_000, interval: 500 },
      );
      for (const expr of expressions) expect([expr, await query(expr)]).toMatchObject([expr, { status: "success" }]);
      const loaded = (await (await fetch(`http://127.0.0.1:${port}/api/v1/rules`)).json()) as {
        data: { groups: { rules: { health: string; lastError?: string }[] }[] };
      };
      const rules = loaded.data.groups.flatMap((group) => group.rules);
      expect(rules.length).toBeGreaterThan(10);
      expect(rules.filter(({ lastError }) => lastError)).toEqual([]);
    } finally {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill();
      await ended;
      await shop.handle.close();
    }
  });
});

/** A port that nobody listens at just now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
