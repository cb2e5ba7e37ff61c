import { convertUnit } from "./convert/index.js";
export const capabilities = [convertUnit];
