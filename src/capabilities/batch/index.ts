export { batchRun } from "./run.js";
