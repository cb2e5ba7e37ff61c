export { convertUnit } from "./unit.js";
