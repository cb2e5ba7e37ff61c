/**
 * Which pieces of text PDF.js takes for one. It joins those that stand up to 0.6 of their size apart, and tells no place within:
 * columns that are nearer than that would be one. Blanks between words have a fourth to a third.
 */
export const WORKER_TEXTS = [["const SPACE_IN_FLOW_MAX_FACTOR = 0.6;", "const SPACE_IN_FLOW_MAX_FACTOR = 0.4;"]];
