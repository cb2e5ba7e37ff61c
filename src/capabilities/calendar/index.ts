// Generated: npx vitest run test/generated.test.ts -u

export { calendarBusinessDays } from "./business-days.js";
export { calendarHolidays } from "./holidays.js";
