/** The exports of packages.ts on Cloudflare Workers, which have none of these packages. */
import { without } from "../../errors.js";

const missing = (name: string) => async (): Promise<never> => without(name)(undefined);

export const importCanvas = missing("@napi-rs/canvas");
export const importPuppeteer = missing("puppeteer-core");
export const importUndici = missing("undici");
