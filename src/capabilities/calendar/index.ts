export { calendarHolidays } from "./holidays.js";
