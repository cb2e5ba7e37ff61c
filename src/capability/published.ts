/** The parts of a call's context and of a capability's facts that hosts may rely on; the rest is for our own code. */
import type { z } from "zod";
import type { Context, Facts } from "./types.js";

/** The context that a host's capability gets. */
export type PublishedContext = Pick<
  Context,
  | "fetch"
  | "clock"
  | "signal"
  | "aborted"
  | "cache"
  | "dataDir"
  | "logger"
  | "brand"
  | "meter"
  | "secret"
  | "setting"
  | "wallet"
  | "call"
  | "find"
  | "mounted"
  | "resources"
  | "progress"
>;

/** The facts of a capability: properties of its function. */
export type PublishedFacts<I extends z.ZodType = z.ZodType, Result = unknown, Id extends string = string> = Pick<
  Facts<I, Result, Id>,
  | "id"
  | "group"
  | "version"
  | "deprecated"
  | "deprecation"
  | "sunset"
  | "method"
  | "path"
  | "price"
  | "shape"
  | "billing"
  | "batchable"
  | "summary"
  | "keywords"
  | "input"
  | "output"
  | "contentTypes"
  | "requires"
  | "packages"
  | "source"
  | "terms"
  | "example"
  | "timeoutMs"
>;
