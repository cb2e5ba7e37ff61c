/**
 * Whether a text is a URL. `URL.canParse` of Node 20 returns false for "https://müller.example/" after some thousand
 * calls.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}
