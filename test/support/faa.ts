import { zipOf } from "./zip.js";

const MASTER =
  "N-NUMBER,SERIAL NUMBER,MFR MDL CODE,ENG MFR MDL,YEAR MFR,TYPE REGISTRANT,NAME,STREET,STREET2,CITY,STATE,ZIP CODE,REGION,COUNTY,COUNTRY,LAST ACTION DATE,CERT ISSUE DATE,CERTIFICATION,TYPE AIRCRAFT,TYPE ENGINE,STATUS CODE,MODE S CODE,FRACT OWNER,AIR WORTH DATE,OTHER NAMES(1),OTHER NAMES(2),OTHER NAMES(3),OTHER NAMES(4),OTHER NAMES(5),EXPIRATION DATE,UNIQUE ID,KIT MFR, KIT MODEL,MODE S CODE HEX,";
const ACFTREF =
  "CODE,MFR,MODEL,TYPE-ACFT,TYPE-ENG,AC-CAT,BUILD-CERT-IND,NO-ENG,NO-SEATS,AC-WEIGHT,SPEED,TC-DATA-SHEET,TC-DATA-HOLDER,";
const ENGINE = "CODE,MFR,MODEL,TYPE,HORSEPOWER,THRUST,";

/** Columns by name; what is left out is blank. */
type Row = Record<string, string>;

interface Register {
  aircraft: Row[];
  models?: Row[];
  engines?: Row[];
}

/** The FAA's archive: a byte order mark, padded values, a comma too many in each row. */
export function faaArchive({ aircraft, models = [], engines = [] }: Register): Buffer {
  return zipOf({
    "ACFTREF.txt": table(ACFTREF, models),
    "MASTER.txt": table(MASTER, aircraft),
    "ENGINE.txt": table(ENGINE, engines),
  });
}

function table(head: string, rows: Row[]): string {
  const columns = head.split(",").slice(0, -1);
  const lines = rows.map((row) => columns.map((name) => (row[name.trim()] ?? "").padEnd(name.length)).join(","));
  return `\uFEFF${head}\r\n${lines.map((line) => `${line},\r\n`).join("")}`;
}
