export { type AiSdkTool, type AiSdkTools, aiSdkTools } from "./ai-sdk.js";
export { type AnthropicBlock, type AnthropicTool, anthropicTools } from "./anthropic.js";
export { type OpenaiTool, openaiTools } from "./openai.js";
export type { Caller, ToolFailure, ToolFile, ToolOptions } from "./tool.js";
