export const TABLE_PATH: string;
export function phraseList(): [phrase: string, syllables: string[]][];
export function renderPhraseReadings(): string;
