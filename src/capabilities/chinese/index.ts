export { chineseConvert } from "./convert.js";
export { chineseDetect } from "./detect.js";
