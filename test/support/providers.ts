import { readdirSync } from "node:fs";
import type { Provider } from "../../src/provider.js";

const FOLDER = new URL("../../src/providers/", import.meta.url);

/** A file of src/providers/ with the providers that it exports. */
export interface ProviderFile {
  /** Without folder and extension. */
  name: string;
  providers: Provider[];
}

export async function readProviderFiles(): Promise<ProviderFile[]> {
  const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith(".ts") ? [file.slice(0, -3)] : []));
  return Promise.all(
    names.sort().map(async (name) => {
      const module: Record<string, unknown> = await import(new URL(`${name}.ts`, FOLDER).href);
      return { name, providers: Object.values(module).filter(isProvider) };
    }),
  );
}

export async function readProviders(): Promise<Provider[]> {
  return (await readProviderFiles()).flatMap(({ providers }) => providers);
}

function isProvider(value: unknown): value is Provider {
  return typeof value === "object" && value !== null && "baseUrl" in value && "license" in value;
}
