/** The work of the threads that read documents, by name. An engine is imported by its first task. */
import { CapabilityError, type ErrorCode, type Issue, invalid } from "../../errors.js";
import { withTexts } from "../json/texts.js";
import { leaving, type Result } from "./results.js";

/**
 * Functions of plain data to plain data. They throw CapabilityErrors for what the caller did wrong: `invalid(path,
 * message)`.
 */
const WORK = {
  "bank.statement": async () => (await import("../statements/read.js")).readStatements,
  "barcode.read": async () => (await import("../barcode-reading/read-barcodes.js")).readBarcodesOf,
  "calendar.ics": async () => (await import("../time/ics-task.js")).readOrWrite,
  "chinese.convert": async () => (await import("../chinese/tasks.js")).convertTask,
  "chinese.pinyin": async () => (await import("../chinese/tasks.js")).pinyinTask,
  "data.convert": async () => (await import("../data/convert.js")).convert,
  "doc.to-markdown": async () => (await import("../office/convert.js")).documentToMarkdown,
  "doc.text": async () => (await import("../office/plain-text.js")).documentText,
  "finance.irr": async () => (await import("../finance/returns.js")).returnsOf,
  "finance.option": async () => (await import("../finance/option.js")).optionTask,
  "geo.area": async () => (await import("../coordinates/geodesic.js")).areaTask,
  "html.extract": async () => (await import("../pages/extract.js")).extract,
  "html.to-markdown": async () => (await import("../markdown/page.js")).pageToMarkdown,
  "edi.edifact": async () => (await import("../edi/read-edi.js")).readEdifact,
  "edi.parse": async () => (await import("../edi/read-edi.js")).readEdi,
  "edi.write": async () => (await import("../edi/write.js")).writeEdifact,
  "invoice.read": async () => (await import("../invoices/read.js")).readInvoice,
  "image.compare": async () => (await import("../pictures/compare.js")).comparePictures,
  "invoice.validate": async () => (await import("../invoices/validate.js")).validateInvoice,
  "json.diff": async () => withTexts((await import("../json/compare.js")).compare),
  "json.query": async () => withTexts((await import("../json/query.js")).query),
  "json.repair": async () => (await import("../json/repair.js")).repair,
  "json.schema": async () => (await import("../json/schema/validate.js")).judgeSchema,
  "json.validate": async () => withTexts((await import("../json/schema/validate.js")).validate),
  "xml.parse": async () => (await import("../../lib/xml/parse.js")).parseXml,
  "pdf.text": async () => (await import("../pdf/text.js")).pdfText,
  "pdf.layers": async () => (await import("../pdf/layers.js")).pdfLayers,
  "pdf.to-markdown": async () => (await import("../pdf/markdown.js")).pdfToMarkdown,
  "pdf.to-image": async () => (await import("../pdf/image.js")).pdfImage,
  "regex.test": async () => (await import("../patterns/test.js")).testPattern,
  "text.chunk": async () => (await import("../text/chunk.js")).chunkText,
  "text.diff": async () => (await import("../text/diff.js")).diffTexts,
  "text.redact": async () => (await import("../pii/redaction.js")).redact,
  "text.similarity": async () => (await import("../text/similarity.js")).compareTexts,
  "time.parse": async () => (await import("../time/english/parse.js")).parseTask,
  "url.robots": async () => (await import("../robots/judge.js")).robotsTask,
  "url.feed": async () => (await import("../feeds/read.js")).readFeed,
} satisfies Record<string, () => Promise<(input: never) => unknown>>;

export type TaskName = keyof typeof WORK;
type Work<Name extends TaskName> = Awaited<ReturnType<(typeof WORK)[Name]>>;
export type TaskInput<Name extends TaskName> = Parameters<Work<Name>>[0];
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<Work<Name>>>;

export interface WorkerTask {
  name: TaskName;
  input: unknown;
  /** Characters that its result may have as JSON. */
  maxLength: number;
}

/** Errors cross threads as text, so a refusal is an answer. */
export type TaskOutcome = Result | { refused: { code: ErrorCode; message: string; issues: Issue[] } };

/** Loads a task's engine. What cannot be loaded fails when the task runs. */
export const loadTask = ({ name }: WorkerTask): Promise<unknown> => WORK[name]().catch(() => undefined);

/** Runs a task in this thread. */
export async function runTask({ name, input, maxLength }: WorkerTask): Promise<TaskOutcome> {
  try {
    const work = (await WORK[name]()) as (input: unknown) => unknown;
    return leaving(await work(input), maxLength);
  } catch (error) {
    const { code, message, issues = [] } = refusalOf(error);
    return { refused: { code, message, issues } };
  }
}

/** Limits of the engine, which only an input that is too large or too deep reaches. */
const OUT_OF_ROOM = /call stack|Invalid (?:string|array|typed array) length|allocation failed|BigInt/;

function refusalOf(error: unknown): CapabilityError {
  if (CapabilityError.is(error) && error.status < 500) return error;
  if (error instanceof RangeError && OUT_OF_ROOM.test(error.message))
    return invalid("", "The document is nested too deeply, or grows too large: send a smaller part of it.");
  throw error;
}
