/** The page's memory of a visitor, in this browser only; one that allows none has none. */
import { settings } from "../shared/api.js";

const MAX_RECENT = 6;
const key = (name: string) => `${settings.slug}.docs.${name}`;

function read(name: string): string | null {
  try {
    return localStorage.getItem(key(name));
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(key(name), value);
  } catch {
    // A full or forbidden storage loses a comfort only.
  }
}

/** The ids of the endpoints that were opened last, the newest first. */
export const recent = (): string[] => (read("recent") ?? "").split(" ").filter(Boolean);

export const noteRecent = (id: string): void =>
  write("recent", [id, ...recent().filter((other) => other !== id)].slice(0, MAX_RECENT).join(" "));

/** The language of code that was chosen last. */
export const language = (): string | null => read("language");
export const noteLanguage = (name: string): void => write("language", name);
