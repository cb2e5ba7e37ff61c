/** Whether a text is a URL. `URL.canParse` of Node 20 denies it of "https://müller.example/" once it was called some thousand times. */
export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}
