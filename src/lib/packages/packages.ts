/**
 * Packages with native code, or of Node alone. package.json's "imports" name packages-on-workers.ts in place of this file
 * under the condition `workerd`, so that no bundler for Cloudflare Workers meets the packages.
 */
import { without } from "../../errors.js";
import { named } from "./named.js";

export const importCanvas = () => import("@napi-rs/canvas").catch(without("@napi-rs/canvas")).then(named);
export const importPuppeteer = async () => (await import("puppeteer-core").catch(without("puppeteer-core"))).default;
export const importUndici = () => import("undici").then(named);
