/** A document for a model, which also reads texts of no kind as they stand: the work of a thread. */
import { type DocumentTask, decodeDocument, documentToMarkdown } from "./convert.js";
import { knownKindOf } from "./kinds.js";

export interface DocumentText {
  title: string | null;
  text: string;
}

/** Throws INVALID_INPUT for what cannot be read, RESULT_TOO_LARGE for what is too large. */
export async function documentText(task: DocumentTask): Promise<DocumentText> {
  if (!task.isArchive) {
    const { text } = decodeDocument(task.bytes);
    if (!knownKindOf(text)) return { title: null, text: text.trim() };
  }
  const { title, markdown } = await documentToMarkdown(task);
  return { title, text: markdown.trim() };
}
