// Generated: npx vitest run test/generated.test.ts -u

import { batchRun } from "./batch/run.js";
import { calendarBusinessDays } from "./calendar/business-days.js";
import { calendarHolidays } from "./calendar/holidays.js";
import { chineseConvert } from "./chinese/convert.js";
import { chineseDetect } from "./chinese/detect.js";
import { chinesePinyin } from "./chinese/pinyin.js";
import { convertUnit } from "./convert/unit.js";
import { cryptoAddressValidate } from "./crypto/address-validate.js";

/** Every capability of this package. Importing it loads no heavy dependency. */
// biome-ignore format: one line each keeps additions to one line
export const capabilities = [
  batchRun,
  calendarBusinessDays,
  calendarHolidays,
  chineseConvert,
  chineseDetect,
  chinesePinyin,
  convertUnit,
  cryptoAddressValidate,
];
