// Generated: npx vitest run test/generated.test.ts -u

export { calendarBusinessDays } from "./business-days.js";
export { calendarEarnings } from "./earnings.js";
export { calendarHolidays } from "./holidays.js";
export { calendarIcs } from "./ics.js";
export { calendarIpo } from "./ipo.js";
