/**
 * Where PDF.js counts its work while it is built in: each operator, each drawing within a drawing, each tile, and the pixels that
 * are painted. `pdfWork` of the process counts (src/engines/pdf/page/work.ts) and throws what ends the document; without one nothing is
 * counted.
 */
const spend = (kind, amount = 1) => `globalThis.pdfWork?.spend("${kind}", ${amount});`;

const before = (code, line) => [code, `${line}\n${code}`];

/** An operator that is read, of texts and of drawings alike, whether it is known or not. */
const OPERATORS = before("        if (!opSpec) {\n          warn(", spend("operators"));

/** How much was read for it: a stream may hold blanks alone, and be drawn many times. */
const CHARACTERS = [
  `      if (obj === EOF) {
        return false;
      }
      if (obj !== null) {
        if (args === null) {`,
  `      if (obj === EOF) {
        ${spend("characters", "this.parser.lexer.stream.pos || 0")}
        return false;
      }
      if (obj !== null) {
        if (args === null) {`,
];

/** A drawing within a drawing counts as often as it is drawn, however deep. */
const FORMS = [
  `  async buildFormXObject(resources, xobj, smask, operatorList, task, initialState, localColorSpaceCache, seenRefs) {
`,
  `  async buildFormXObject(resources, xobj, smask, operatorList, task, initialState, localColorSpaceCache, seenRefs) {
    ${spend("forms")}
`,
];
const TEXT_FORMS = before("              const xObjStateManager = new StateManager(currentState);", spend("forms"));
const PATTERNS = before("    const tilingOpList = new OperatorList();", spend("forms"));
const GLYPHS = before("        const glyphStream = charProcs.get(key);", spend("forms"));

const LETTERS = [
  `      const glyphs = font.charsToGlyphs(chars);
      const scale = `,
  `      const glyphs = font.charsToGlyphs(chars);
      ${spend("letters", "glyphs.length")}
      const scale = `,
];
const DRAWN_LETTERS = [
  `    const glyphs = font.charsToGlyphs(chars);
    if (font.data) {`,
  `    const glyphs = font.charsToGlyphs(chars);
    ${spend("letters", "glyphs.length")}
    if (font.data) {`,
];

/** Pictures are unpacked to memory that no limit of a thread counts. */
const PICTURES = before(
  `    this.width = width;
    this.height = height;
    this.interpolate = dict.get("I", "Interpolate");`,
  spend("pictures", "width * height"),
);

export const WORKER_WORK = [
  OPERATORS,
  CHARACTERS,
  FORMS,
  TEXT_FORMS,
  PATTERNS,
  GLYPHS,
  LETTERS,
  DRAWN_LETTERS,
  PICTURES,
];

/** An operator that is drawn: patterns and letters of drawings repeat theirs each time. */
const DRAWN = before("        fnId = fnArray[i];", spend("drawn"));

const TILES = [
  `      const jj = redrawVertically ? Math.floor(height / ystep) : 0;
`,
  `      const jj = redrawVertically ? Math.floor(height / ystep) : 0;
      ${spend("tiles", "(ii + 1) * (jj + 1)")}
      ${spend("pixels", "(ii + 1) * (jj + 1) * xSize * ySize")}
`,
];
const TILE_CANVAS = before(
  '    const tmpCanvas = owner.cachedCanvases.getCanvas("pattern", dimx.size, dimy.size);',
  spend("pixels", "dimx.size * dimy.size"),
);

/** A box that is painted, within the clip. */
const paint = (box, transform = "getCurrentTransform(this.ctx)") => `{
      const painted = MIN_MAX_INIT.slice();
      Util.axialAlignedBoundingBox(${box}, ${transform}, painted);
      globalThis.pdfWork.paint(painted, this.current.clipBox);
    }`;

/** A wide stroke paints beside its path, and a dashed one is many. */
const PATHS = [
  `    Util.axialAlignedBoundingBox(minMax, getCurrentTransform(this.ctx), this.current.minMax);
    this[op](opIdx, path);`,
  `    const transform = getCurrentTransform(this.ctx);
    Util.axialAlignedBoundingBox(minMax, transform, this.current.minMax);
    if (globalThis.pdfWork) {
      const isStroked = op !== OPS.fill && op !== OPS.eoFill && op !== OPS.endPath;
      const beside = isStroked ? Math.abs(this.current.lineWidth) / 2 : 0;
      if (isStroked) globalThis.pdfWork.dashes(minMax, this.ctx.getLineDash());
      ${paint("[minMax[0] - beside, minMax[1] - beside, minMax[2] + beside, minMax[3] + beside]", "transform")}
    }
    this[op](opIdx, path);`,
];

/** Letters may be larger than the page. */
const TEXTS = [
  `    const textHScale = current.textHScale * fontDirection;
    const glyphsLength = glyphs.length;
    const vertical`,
  `    const textHScale = current.textHScale * fontDirection;
    const glyphsLength = glyphs.length;
    globalThis.pdfWork?.letters(glyphsLength, fontSize, [getCurrentTransform(ctx), current.textMatrix], current.clipBox);
    const vertical`,
];
const SHADINGS = before(
  "    const pattern = this._getPattern(opIdx, objId);\n    ctx.fillStyle = pattern.getPattern(ctx, this, getCurrentTransformInverse(ctx), PathType.SHADING, opIdx);",
  "    globalThis.pdfWork?.paint([0, 0, ctx.canvas.width, ctx.canvas.height], this.current.clipBox);",
);
/** A mask is put together pixel by pixel, which takes as long as painting many of them. */
const GROUPS = before(
  "    this.current.startNewPathAndClipBox([0, 0, drawnWidth, drawnHeight]);",
  spend("pixels", "drawnWidth * drawnHeight * (group.smask ? 20 : 3)"),
);
const DRAWN_PICTURES = [
  `    ctx.scale(1 / width, -1 / height);
    let imgToPaint;`,
  `    if (globalThis.pdfWork) ${paint("[0, 0, 1, 1]")}
    ${spend("pixels", "width * height")}
    ctx.scale(1 / width, -1 / height);
    let imgToPaint;`,
];
const DRAWN_MASKS = before(
  "    const mask = this._createMaskCanvas(opIdx, img);\n    const maskCanvas = mask.canvas;",
  `    if (globalThis.pdfWork) ${paint("[0, 0, 1, 1]")}
    ${spend("pixels", "img.width * img.height || 0")}`,
);
const MASKS_TOGETHER = before(
  '      const maskCanvas = this.cachedCanvases.getCanvas("maskCanvas", width, height);\n      const maskCtx = maskCanvas.context;\n      maskCtx.save();\n      const img = this.getObject(opIdx, data, image);',
  `${spend("drawn")}\n${spend("pixels", "2 * width * height")}`,
);
const REPEATED_MASKS = before(
  "      const trans = Util.transform(currentTransform, [scaleX, skewX, skewY, scaleY, positions[i], positions[i + 1]]);",
  `${spend("drawn")}\n${spend("pixels", "mask.canvas.width * mask.canvas.height")}`,
);
const REPEATED_PICTURES = before(
  "      ctx.transform(...entry.transform);",
  `${spend("drawn")}\n${spend("pixels", "entry.w * entry.h")}`,
);

export const LIBRARY_WORK = [
  DRAWN,
  TILES,
  TILE_CANVAS,
  PATHS,
  TEXTS,
  SHADINGS,
  GROUPS,
  DRAWN_PICTURES,
  DRAWN_MASKS,
  MASKS_TOGETHER,
  REPEATED_MASKS,
  REPEATED_PICTURES,
];
