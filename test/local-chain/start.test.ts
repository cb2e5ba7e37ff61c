import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { gone, start, TIMEOUT_MS } from "../support/npm-start.js";
import { quoteOf, TREASURY } from "../support/wallets.js";

it("shows a trial and a settled payment, offers commands that work, and stops cleanly", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { child, exited, output, urlOf } = await start();
  const [page = ""] = /http\S+/.exec(output) ?? [];
  expect(page, "the page comes first").toBe(`${urlOf("server")}/`);
  expect((await fetch(page, { headers: { accept: "text/html" } })).headers.get("content-type")).toMatch(/^text\/html/);
  expect(output).toMatch(/X-SVC-Trial: 1\n +200 OK/);
  expect(output).toMatch(/402 Payment Required\n +price +0\.001000 USDC\n +network +eip155:8453/);
  expect(output).toMatch(/transaction +0x[0-9a-f]{64}\n/);
  expect(output).toMatch(/buyer +10\.000000 +→ +9\.999000\n +treasury +0\.000000 +→ +0\.001000/);
  expect(output).toMatch(/This is my shift number 1\.\n(?:.*\n)+ +150 lb are 68\.0388555 kg\./);
  expect(output).toMatch(/I was called back: schedule\.fired, about shift 1, and the signature is right\./);
  expect(output).toContain("Another wallet asks for what the agent keeps: 404, and pays nothing for it.");
  expect(output, "colours only on a terminal").not.toContain("\u001b");

  const commands = [...output.matchAll(/curl (?:-i )?(?:-H '([\w-]+): (\d)' )?'(http\S+)'/g)];
  const statuses = await Promise.all(
    commands.map(async ([, header, value, url]) => {
      const response = await fetch(String(url), header ? { headers: { [header]: String(value) } } : {});
      return response.status;
    }),
  );
  expect(statuses).toEqual([200, 402, 200, 200, 200]);

  const [, exported, key, paying] = /(export WALLET_KEY=(\S+))\n +(BASE_URL=\S+ node \S+)/.exec(output) ?? [];
  expect(key).toMatch(/^0x[0-9a-f]{64}$/);
  const { stdout } = await promisify(execFile)("sh", ["-ec", `${exported}\n${paying}`]);
  expect(stdout).toMatch(/Quote: 0\.001 USDC .*\nReceipt: transaction 0x[0-9a-f]{64} /);

  child.kill("SIGINT");
  expect(await exited).toBe(0);
  await gone(urlOf("chain"));
});

it("serves for real where it is told who is paid, and through whom", { timeout: TIMEOUT_MS }, async () => {
  const { child, exited, output, urlOf } = await start({
    TREASURY_EVM: TREASURY,
    FACILITATOR_URL: "https://facilitator.invalid/",
  });
  expect(output).toContain("no local chain is started");
  expect(urlOf("chain")).toBe("");
  const response = await fetch(`${urlOf("server")}/api/convert/unit?value=1&from=kg&to=lb`);
  expect(response.status).toBe(402);
  expect(quoteOf(response).accepts).toMatchObject([{ network: "eip155:8453", payTo: TREASURY }]);
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
});

it.each<{ settings: Record<string, string>; says: string }>([
  { settings: { TREASURY_EVM: TREASURY }, says: "FACILITATOR_URL is missing" },
  { settings: { FACILITATOR_URL: "https://facilitator.invalid" }, says: "TREASURY_EVM or TREASURY_SVM is missing" },
  { settings: { TREASURY_EVM: TREASURY, FACILITATOR_URL: "facilitator" }, says: "FACILITATOR_URL is not a URL" },
  {
    settings: { TREASURY_EVM: "0x12", FACILITATOR_URL: "https://facilitator.invalid" },
    says: 'payment.treasury["eip155:8453"] must be an address',
  },
  {
    settings: { REDIS_URL: "redis://127.0.0.1:1", DATABASE_URL: "postgres://127.0.0.1:1" },
    says: "REDIS_URL and DATABASE_URL are both set",
  },
  { settings: { DATABASE_URL: "postgres://127.0.0.1:1/none" }, says: "DATABASE_URL: " },
  { settings: { REDIS_URL: "redis://127.0.0.1:1" }, says: "REDIS_URL: " },
  { settings: { PORT: "http" }, says: 'PORT must be a number from 0 to 65535, not "http"' },
])("does not start, and says: $says", { timeout: TIMEOUT_MS }, async ({ settings, says }) => {
  const { exited, output } = await start(settings);
  expect(await exited).toBe(1);
  expect(output).toContain(says);
  expect(output, "no stack trace").not.toMatch(/\n +at /);
});
