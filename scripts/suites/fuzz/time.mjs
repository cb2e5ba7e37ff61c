/** Crons, calendars, times and sentences: right ones that are damaged, and heaps of what their rules look for. */
const CRONS = [
  "*/5 0-12/2 L,15W 1-6 MON#2",
  "0 0 0 L-3 * ? 2020-2030/2",
  "TZ=Europe/Berlin 30 2 29 2 *",
  "@weekly",
  "0/7 * * * 5L",
];
const RULES = [
  "FREQ=YEARLY;BYWEEKNO=53,-1;BYDAY=SU;BYSETPOS=-1",
  "FREQ=MONTHLY;BYDAY=-2FR,1MO;BYMONTHDAY=13;COUNT=9",
  "FREQ=SECONDLY;INTERVAL=7;BYHOUR=3;BYSECOND=5",
  "FREQ=WEEKLY;WKST=SU;UNTIL=20300101T000000Z;BYHOUR=1,2,3",
  "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
  "FREQ=HOURLY;BYYEARDAY=-366;BYMINUTE=0,1,2",
];
const ZONES = ["Europe/Berlin", "America/New_York", "Pacific/Apia", "+05:45", "Africa/Casablanca", "Nowhere"];
const TIMES = [
  "2026-03-29T02:30",
  "2026-W13-7T24:00Z",
  "2011-12-30",
  "0001-01-01T00:00-12",
  "2026-088T12:00[Asia/Tokyo]",
  "99991231T235959.999Z",
];
const WORDS =
  "monday next last this may 5 21st from to between and in two weeks ago after before at 7 pm : / - , 2016 12 every day tonight morning easter the of half past twenty hours quarter end until now year 1/2/3 business friday".split(
    " ",
  );
const PIECES = [
  "*",
  ",",
  "-",
  "/",
  "999999999",
  ";",
  "=",
  ":",
  "\r\n",
  " ",
  "T",
  "Z",
  "é",
  "\0",
  "(",
  "x".repeat(50),
  "0",
];

export const parsers = {
  "dev.cron": ({ below, pick, damage }) => ({
    expression: damage(pick(CRONS), PIECES) || "*",
    timeZone: pick(ZONES),
    from: "2026-03-28T00:00:00Z",
    count: 1 + below(20),
    gap: pick(["next", "skip"]),
  }),
  "calendar.ics": ({ below, pick, damage }) => {
    const rule = damage(pick(RULES), PIECES);
    const event = `BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=${pick(ZONES)}:19970902T090000\r\nRRULE:${rule}\r\nDURATION:P1DT2H\r\nEXDATE:19970903T090000\r\nEND:VEVENT\r\n`;
    const text = `BEGIN:VCALENDAR\r\n${below(3) === 0 ? damage(event, PIECES) : event}END:VCALENDAR`;
    const from = below(2) === 0 ? {} : { from: "2090-01-01", to: "2095-01-01" };
    return { text, expand: { ...from, limit: 1 + below(50) } };
  },
  "calendar.ics write": ({ below, pick, damage }) => {
    const event = {
      start: damage(pick(TIMES), PIECES).slice(0, 40) || "2026",
      summary: damage("A, B; C\\n".repeat(1 + below(20)), PIECES),
      recurrence: [damage(pick(RULES), PIECES)],
      exceptions: [damage(pick(TIMES), PIECES).slice(0, 40) || "2026"],
      ...(below(2) ? { timeZone: pick(ZONES) } : {}),
    };
    return { operation: "write", events: [event] };
  },
  "time.convert": ({ pick, damage }) => ({ time: damage(pick(TIMES), PIECES), from: pick(ZONES), to: pick(ZONES) }),
  "time.parse": ({ below, pick, damage }) => {
    const words = Array.from({ length: 1 + below(60) }, () => pick(WORDS));
    const text = words.join(below(5) === 0 ? "" : " ").slice(0, 480);
    return { text: damage(text, PIECES).slice(0, 500) || "x", reference: "2016-11-07T16:12:00" };
  },
};
