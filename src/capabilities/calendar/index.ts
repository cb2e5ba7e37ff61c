export { calendarBusinessDays } from "./business-days.js";
export { calendarHolidays } from "./holidays.js";
