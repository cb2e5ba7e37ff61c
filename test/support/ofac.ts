import type { EntryType, SdnEntry } from "../../src/providers/ofac/records.js";

const NULL = "-0- ";
const FAMILIES =
  "VARGA OKAFOR LINDQVIST MBEKI TANAKA ROSSI NOWAK SILVA DUBOIS HORVAT PETROV COSTA KHALIL ADEYEMI".split(" ");
const GIVEN = "Muhammad Ali Hassan Vladimir Sergey Daniel Maria Roman Ivan Ahmad Jose Saddam Ismail".split(" ");
const TRADES = "AIR AIRLINES AIRWAYS AIRCRAFT TRADING SHIPPING BANK INTERNATIONAL GENERAL AVIATION".split(" ");
const PLACES = "IRAN SYRIA HAVANA MOSCOW KOREA LIBYA CARIBBEAN GULF".split(" ");

/** Other entries, in which given names and trades are as common as in the real list, so that words weigh alike. */
function crowd(): SdnEntry[] {
  return Array.from({ length: 600 }, (_, i) => {
    const [family, given] = [FAMILIES[i % FAMILIES.length], GIVEN[i % GIVEN.length]];
    const company = `${family}${i % 7} ${PLACES[i % PLACES.length]} ${TRADES[i % TRADES.length]} CO`;
    const person = `${family}${i % 11}, ${given} ${GIVEN[(i * 5 + 3) % GIVEN.length]}`;
    return i % 2 ? entry(100_000 + i, company) : entry(100_000 + i, person, "individual");
  });
}

export function entry(entNum: number, name: string, type: EntryType = "organization", remarks: string | null = null) {
  return { entNum, name, type, programs: ["SDGT"], remarks };
}

/** The given entries in the midst of some hundred others. */
export const amongOthers = (...entries: SdnEntry[]): SdnEntry[] => [...entries, ...crowd()];

/** The bytes of SDN.CSV as published. */
export function sdnCsv(entries: readonly SdnEntry[]): string {
  const cell = (value: string | null) => (value === null ? NULL : `"${value.replaceAll('"', '""')}"`);
  const rows = entries.map(({ entNum, name, type, programs, remarks }) => {
    const kind = type === "organization" ? null : type;
    const blanks = Array.from({ length: 7 }, () => NULL);
    return [entNum, cell(name), cell(kind), cell(programs.join("] [")), ...blanks, cell(remarks)].join(",");
  });
  return `${rows.join("\r\n")}\r\n\u001a`;
}
