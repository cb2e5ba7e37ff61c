/** One Postgres for a whole run of the tests: a server takes seconds to make, a database in it a moment. And one folder. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.js";
import { openScratch } from "./scratch.js";
import type { TestServer } from "./server.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server's URL; empty where there are no binaries that run here. */
    postgresUrl: string;
    /** A folder for the databases of the run. */
    scratch: string;
  }
}

/** Vitest calls this once, before the first test file of all projects. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const scratch = await openScratch();
  provide("scratch", scratch.path);
  const server = await startPostgres(scratch.path);
  provide("postgresUrl", server?.url ?? "");
  return async () => {
    await server?.stop();
    await scratch.remove();
  };
}

/** An empty database of the run's server; `stop` drops it. Undefined where there is no server. */
export async function openPostgres(): Promise<TestServer | undefined> {
  const serverUrl = inject("postgresUrl");
  if (!serverUrl) return undefined;
  const name = `test_${randomBytes(8).toString("hex")}`;
  await ask(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return { url: url.href, stop: () => ask(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
