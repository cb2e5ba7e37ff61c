/** The heavy proofs alone: `npm run proofs`, and CI after the tests. */
import { defineConfig } from "vitest/config";
import { PROOFS, shared } from "./vitest.config.js";

export default defineConfig({ test: { ...shared, include: PROOFS } });
