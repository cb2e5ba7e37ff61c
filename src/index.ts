export { defineCapability } from "./capability.js";
