/** The formats of data.convert. */
export const FORMATS = ["json", "jsonl", "yaml", "toml", "xml", "csv", "tsv", "xlsx"] as const;
export type DataFormat = (typeof FORMATS)[number];

export interface DataReadOptions {
  types: "infer" | "text";
  header: boolean;
  delimiter?: string | undefined;
  sheet?: string | undefined;
  /** Hears what was lost or changed. */
  note(message: string): void;
}
