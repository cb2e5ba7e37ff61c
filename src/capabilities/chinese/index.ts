// Generated: npx vitest run test/generated.test.ts -u

export { chineseConvert } from "./convert.js";
export { chineseDetect } from "./detect.js";
export { chinesePinyin } from "./pinyin.js";
