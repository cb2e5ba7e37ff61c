/** The one door for callers' XML. */
import { CapabilityError, invalid } from "../../errors.js";
import { readXml, type XmlElement, XmlFault } from "./reader.js";

export { MAX_XML_DEPTH, MAX_XML_NODES, type XmlElement } from "./reader.js";

export const MAX_XML_LENGTH = 3_000_000;

/**
 * The root element. Throws INVALID_INPUT with the place, or RESULT_TOO_LARGE above `maxLength` characters and the
 * reader's own bounds.
 */
export function parseXml(text: string, maxLength = MAX_XML_LENGTH): XmlElement {
  try {
    return readXml(text, maxLength);
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    const { message, isTooLarge } = error;
    if (!isTooLarge) throw invalid("", message);
    throw new CapabilityError("RESULT_TOO_LARGE", `The XML ${message}.`, { issues: [{ path: "", message }] });
  }
}
