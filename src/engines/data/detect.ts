/** Which format a text is in. */
import type { DataFormat } from "./formats.js";

/** Signs in which a line of TOML shows itself. */
const MAX_KEY = 2_000;

/** JSON, XML, TOML and tables by their beginnings; YAML is what is left. */
export function detect(text: string): DataFormat {
  const start = text.trimStart();
  const lines = start.split(/\r?\n/).filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
  if (start.startsWith("<")) return "xml";
  if (isJson(text)) return "json";
  if (isJsonLines(lines)) return "jsonl";
  if (isToml(lines)) return "toml";
  if (/^(?:\{\s*["}]|\[\s*["{[\d\]])/.test(start)) return "json";
  if (isTable(lines, "\t")) return "tsv";
  const isYaml = /^(?:---|- |%YAML)|^[^,;\n]*:(?:\s|$)/.test(start);
  const isCsv = [",", ";", "|"].some((delimiter) => isTable(lines, delimiter)) || /^[^:\n]*[,;]/.test(start);
  return isCsv && !isYaml ? "csv" : "yaml";
}

const isJsonLines = (lines: readonly string[]): boolean =>
  lines.length > 1 && lines.slice(0, 2).every((line) => /^\s*[[{]/.test(line) && isJson(line));

/** `site."a-b".c = 1` */
function isEntry(line: string): boolean {
  const [key = "", value] = line.slice(0, MAX_KEY).split("=");
  return value !== undefined && key.trim() !== "" && key.split(".").every((part) => /^[\w"'-]*$/.test(part.trim()));
}

const isToml = ([first = "", second = ""]: readonly string[]): boolean => {
  return (
    isEntry(first) || (/^\s*\[{1,2}[^[\],]+\]{1,2}\s*$/.test(first) && (isEntry(second) || second.startsWith("[")))
  );
};

function isTable(lines: readonly string[], delimiter: string): boolean {
  const [first = 0, ...others] = lines.slice(0, 5).map((line) => line.split(delimiter).length);
  return others.length > 0 && first > 1 && others.every((count) => count === first);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
