// Generated: npx vitest run test/generated.test.ts -u

export { aiChat } from "./chat.js";
export { aiClassify } from "./classify.js";
export { aiCouncil } from "./council.js";
export { aiDescribeImage } from "./describe-image.js";
export { aiEntities } from "./entities.js";
export { aiExtract } from "./extract.js";
export { aiImage } from "./image.js";
export { aiModerate } from "./moderate.js";
export { aiOcr } from "./ocr.js";
export { aiPii } from "./pii.js";
export { aiResearch } from "./research.js";
export { aiScreenshot } from "./screenshot.js";
export { aiSentiment } from "./sentiment.js";
export { aiSummarize } from "./summarize.js";
export { aiTranslate } from "./translate.js";
export { aiWebAnswer } from "./web-answer.js";
