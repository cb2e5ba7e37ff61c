export const TABLE_PATH: string;
export const LISTS: string;
/** Whether the lists that do not come from the registry lie in the folder `LISTS`. */
export function hasLists(): boolean;
export function isSyllable(text: string): boolean;
export function readList(file: string): Map<string, string[][]>;
export function readSentences(name: string): { text: string; at: number; character: string; label: string }[];
export function numbered(syllable: string): string;
export function renderPhraseReadings(): string;
