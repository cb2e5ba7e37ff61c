export const TABLE_PATH: string;
export function renderRanges(): string;
