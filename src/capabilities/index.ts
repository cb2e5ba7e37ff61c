// Generated: npx vitest run test/generated.test.ts -u

import { agricultureDrought } from "./agriculture/drought.js";
import { barcodeGenerate } from "./barcode/generate.js";
import { batchRun } from "./batch/run.js";
import { calendarBusinessDays } from "./calendar/business-days.js";
import { calendarHolidays } from "./calendar/holidays.js";
import { chineseConvert } from "./chinese/convert.js";
import { chineseDetect } from "./chinese/detect.js";
import { chinesePinyin } from "./chinese/pinyin.js";
import { convertUnit } from "./convert/unit.js";
import { countdownGif } from "./countdown/gif.js";
import { cryptoAddressValidate } from "./crypto/address-validate.js";

/** Every capability of this package. Importing it loads no heavy dependency. */
// biome-ignore format: one line each keeps additions to one line
export const capabilities = [
  agricultureDrought,
  barcodeGenerate,
  batchRun,
  calendarBusinessDays,
  calendarHolidays,
  chineseConvert,
  chineseDetect,
  chinesePinyin,
  convertUnit,
  countdownGif,
  cryptoAddressValidate,
];
