/** Facts about a code that can be told before it is drawn, and that are refused before it is paid. */
import { invalid } from "../../errors.js";
import { assertMayFit, type Symbology, tooLong } from "./matrix.js";
import { payloadText } from "./payload-text.js";
import type { Payload } from "./payloads.js";
import { planQr, type QrPlan, sideOf } from "./qr.js";
import { assertContrast, assertModuleSize } from "./readable.js";
import { hiddenShare } from "./render.js";
import type { Style } from "./style.js";
import type { Level, SymbolFormat } from "./symbol.js";

/** A code as it is asked for. */
interface Asked {
  data: Payload;
  format: SymbolFormat;
  errorCorrection?: Level | undefined;
  size: number;
  margin: number;
  style: Style;
}

/** The text of a code and the kind of symbol that holds it. Throws INVALID_INPUT for a code that could not be read. */
export async function planCode(asked: Asked, brand: string): Promise<{ text: string; symbology: Symbology }> {
  assertContrast(asked.style, asked.format);
  const text = payloadText(asked.data, brand);
  return { text, symbology: await symbologyOf(text, asked) };
}

async function symbologyOf(text: string, { format, errorCorrection, size, margin, style }: Asked): Promise<Symbology> {
  const { logo } = style;
  // Error correction has to restore the part that a logo hides.
  const level = errorCorrection ?? (logo ? (logo.sizePct > 0.2 ? "H" : "Q") : "M");
  assertMayFit(text, format, level);
  if (format !== "qr") return { format };
  const planned = (tried: Level, sizePct = logo?.sizePct) =>
    planQr(text, { level: tried, hiddenShare: logo && sizePct && hiddenShare({ ...logo, sizePct }, { size, margin }) });
  let plan = await planned(level);
  if (plan === "hidden" && !errorCorrection) plan = await planned("H");
  if (plan === "too-long") throw tooLong(text, format, level);
  if (plan === "hidden")
    throw invalid("style.logo.sizePct", await hiddenToo(level, { planned, sizePct: logo?.sizePct }));
  assertModuleSize({ format, columns: sideOf(plan.version), size, margin, modules: style.modules });
  return { format, plan };
}

interface Attempts {
  planned(level: Level, sizePct?: number): Promise<QrPlan | "too-long" | "hidden">;
  sizePct: number | undefined;
}

/** Why a logo is refused, with alternatives that would work. */
async function hiddenToo(level: Level, { planned, sizePct = 0 }: Attempts): Promise<string> {
  const ways: string[] = [];
  if (level !== "H" && typeof (await planned("H")) === "object") ways.push("errorCorrection H");
  for (const smaller of [0.3, 0.25, 0.2, 0.15, 0.1, 0.05])
    if (smaller < sizePct && typeof (await planned(level, smaller)) === "object") {
      ways.push(`a sizePct of ${smaller}`);
      break;
    }
  const way = ways.length > 0 ? `use ${ways.join(" or ")}` : "use less padding or shorten the data";
  return `hides more of the code than error correction ${level} restores: ${way}`;
}
