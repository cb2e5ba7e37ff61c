/**
 * Work that PDF.js does in vain where it is built in, taken out of its code: it runs in one thread, on a platform that needs
 * none of its oldest substitutes, and of what pages draw only lines are asked for.
 */

/** A substitute for an old mistake of V8, in reading lengths beyond all arrays: each push of the process took longer. */
const PUSH = ["var FORCED = INCORRECT_TO_LENGTH || !properErrorOnNonWritableLength();", "var FORCED = false;"];

/** An intent of our own, beside those that PDF.js knows: another would be taken as "display", and give more. */
const ASKED = [
  `      case "display":
        break;
      case "print":
        renderingIntent = RenderingIntentFlag.PRINT;
        break;`,
  `      case "display":
        break;
      case "lines":
        renderingIntent = RenderingIntentFlag.DISPLAY | 0x10000;
        break;
      case "print":
        renderingIntent = RenderingIntentFlag.PRINT;
        break;`,
];

/** Pictures are not unpacked for it. */
const ANSWERED = [
  `      const resources = await this.#getMergedResources(contentStream.dict, RESOURCES_KEYS_OPERATOR_LIST);
      const opList = new OperatorList(intent, sink);`,
  `      const resources = await this.#getMergedResources(contentStream.dict, RESOURCES_KEYS_OPERATOR_LIST);
      const opList = new OperatorList(intent, sink);
      if (intent & 0x10000) {
        partialEvaluator.linesOnly = true;
        partialEvaluator.buildPaintImageXObject = async () => {};
      }`,
];

/** Operators by which lines are drawn, and by which their place is told. */
const LINES = [
  `        let args = operation.args;
        let fn = operation.fn;
        switch (fn | 0) {
          case OPS.paintXObject:
            isValidName = args[0] instanceof Name;`,
  `        let args = operation.args;
        let fn = operation.fn;
        if (self.linesOnly && !(fn >= OPS.save && fn <= OPS.transform || fn >= OPS.moveTo && fn <= OPS.endPath || fn === OPS.paintXObject || fn === OPS.setGState)) {
          continue;
        }
        switch (fn | 0) {
          case OPS.paintXObject:
            isValidName = args[0] instanceof Name;`,
];

/** Texts are handed over within one thread, not copied: their sender keeps the container alone. */
const HANDED = [
  `    const event = {
      data: structuredClone(obj, transfer ? {
        transfer
      } : null)
    };`,
  `    const event = {
      data: obj.chunk?.items && !transfer?.length ? {
        ...obj,
        chunk: {
          ...obj.chunk
        }
      } : structuredClone(obj, transfer ? {
        transfer
      } : null)
    };`,
];

export const WORKER_SPEED = [PUSH, ANSWERED, LINES];
export const LIBRARY_SPEED = [PUSH, ASKED, HANDED];
