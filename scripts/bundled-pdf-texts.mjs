/**
 * Which pieces of text PDF.js takes for one. It joins words that stand up to 0.6 of their size apart, and tells no place within:
 * columns that are nearer than that would be one. Here each word is a piece. What stands between two of them tells whether the
 * document has a blank sign there, or only another place: a thin space stands for the latter.
 */
export const WORKER_TEXTS = [
  ["const SPACE_IN_FLOW_MAX_FACTOR = 0.6;", "const SPACE_IN_FLOW_MAX_FACTOR = 0.102;\n    let followsBlank = false;"],
  [
    "if (!category.isZeroWidthDiacritic && !compareWithLastPosition(scaledDim)) {",
    'followsBlank = twoLastChars[(twoLastCharsPos + 1) % 2] === " ";\n        if (!category.isZeroWidthDiacritic && !compareWithLastPosition(scaledDim)) {',
  ],
  [
    'textContent.items.push({\n        str: " ",',
    'textContent.items.push({\n        str: followsBlank ? " " : "\\u2009",',
  ],
];
