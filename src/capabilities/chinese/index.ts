export { chineseConvert } from "./convert.js";
