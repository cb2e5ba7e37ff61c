import { readdirSync } from "node:fs";
import type { Provider } from "../../src/capability/provider.js";

const FOLDER = new URL("../../src/providers/", import.meta.url);

/** A file of src/providers/ with the providers that it exports. */
export interface ProviderFile {
  name: string;
  /** From the root: `src/providers/<name>/provider.ts`. */
  path: string;
  providers: Provider[];
}

export async function readProviderFiles(): Promise<ProviderFile[]> {
  const names = readdirSync(FOLDER);
  return Promise.all(
    names.sort().map(async (name) => {
      const file = `${name}/provider.ts`;
      const module: Record<string, unknown> = await import(new URL(file, FOLDER).href);
      return { name, path: `src/providers/${file}`, providers: Object.values(module).filter(isProvider) };
    }),
  );
}

export async function readProviders(): Promise<Provider[]> {
  return (await readProviderFiles()).flatMap(({ providers }) => providers);
}

function isProvider(value: unknown): value is Provider {
  return typeof value === "object" && value !== null && "baseUrl" in value && "license" in value;
}
