import { batchRun } from "./batch/index.js";
import { convertUnit } from "./convert/index.js";
export const capabilities = [batchRun, convertUnit];
