/** Query language and answers of the NTSB's case search. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { identifiedRows, list } from "../../upstream/fields.js";

export interface CaseFilters {
  registration: string | null;
  make: string | null;
  model: string | null;
  city: string | null;
  /** Two-letter code. */
  state: string | null;
  /** YYYY-MM-DD, like `dateTo`. */
  dateFrom: string | null;
  dateTo: string | null;
}

interface Column {
  column: string;
  label: string;
  input: "Text" | "Dropdown" | "Date";
  operator: string;
}

const MODE: Column = { column: "Event.Mode", label: "Investigation mode", input: "Dropdown", operator: "is" };
const COLUMNS: Record<keyof CaseFilters, Column> = {
  registration: {
    column: "Aircraft.RegistrationNumber",
    label: "Registration number",
    input: "Text",
    operator: "contains",
  },
  make: { column: "Aircraft.AircraftMake", label: "Aircraft make", input: "Text", operator: "contains" },
  model: { column: "Aircraft.AircraftModel", label: "Aircraft model", input: "Text", operator: "contains" },
  city: { column: "Event.City", label: "City", input: "Text", operator: "is" },
  state: { column: "Event.State", label: "State", input: "Dropdown", operator: "is" },
  dateFrom: { column: "Event.EventDate", label: "Event date", input: "Date", operator: "is on or after" },
  dateTo: { column: "Event.EventDate", label: "Event date", input: "Date", operator: "is on or before" },
};

/** The request body of the search page: all rules joined by "and", newest cases first. */
export function caseQuery(filters: CaseFilters, limit: number) {
  const names = Object.keys(COLUMNS) as (keyof CaseFilters)[];
  const rules = names.flatMap((name) => {
    const value = filters[name];
    return value === null ? [] : [toRule(COLUMNS[name], value)];
  });
  return {
    ResultSetSize: limit,
    ResultSetOffset: 0,
    QueryGroups: [
      {
        QueryRules: [toRule(MODE, "Aviation"), ...rules],
        AndOr: "and",
        inLastSearch: false,
        editedSinceLastSearch: false,
      },
    ],
    AndOr: "and",
    SortColumn: null,
    SortDescending: true,
    TargetCollection: "cases",
    // Any number is accepted; this is the page's own.
    SessionId: 100_000,
  };
}

function toRule({ column, label, input, operator }: Column, value: string) {
  return {
    RuleType: "Simple",
    Values: [value],
    Columns: [column],
    Operator: operator,
    overrideColumn: "",
    selectedOption: {
      FieldName: column.slice(column.indexOf(".") + 1),
      DisplayText: label,
      Columns: [column],
      Selectable: true,
      InputType: input,
      RuleType: 0,
      Options: null,
      TargetCollection: "cases",
      UnderDevelopment: true,
    },
  };
}

const EXPECTED =
  "EventDate EventType Mkey City State Country N# VehicleMake VehicleModel HighestInjuryLevel InjuryOngroundCount InjuryOnboardCount CompletionStatus HasSafetyRec OriginalPublishedDate MostRecentReportType".split(
    " ",
  );
/** Names of fields that a case is known to have. */
const KNOWN = new Set([
  ...EXPECTED,
  ..."NtsbNo IsStudy ReportNo Mode ReportType DocketPublishDate ReportDate EV_ID RepGenFlag Latitude Longitude".split(
    " ",
  ),
]);

/** A field that is not there has no value, unless another stands there in its place. */
function assertCase(fields: ReadonlyMap<string, unknown>, issues: z.RefinementCtx): void {
  const missing = EXPECTED.filter((name) => !fields.has(name));
  const unknown = [...fields.keys()].filter((name) => !KNOWN.has(name));
  if (!fields.has("NtsbNo")) issues.addIssue({ code: "custom", message: "has no field NtsbNo" });
  else if (missing.length > 0 && unknown.length > 0)
    issues.addIssue({
      code: "custom",
      message: `has no field ${missing.join(", ")}; unknown beside it: ${unknown.join(", ").slice(0, 200)}`,
    });
}

/** A case's fields by name, with all values: the aircraft of a collision have one each. */
const caseFields = lazySchema(() =>
  z
    .object({
      Fields: identifiedRows(z.object({ FieldName: z.string(), Values: list(z.string().nullable()) }), ["FieldName"]),
    })
    .transform(({ Fields }) => new Map(Fields.map(({ FieldName, Values }) => [FieldName, Values])))
    .superRefine(assertCase),
);
export type CaseFields = z.output<ReturnType<typeof caseFields>>;

export const caseAnswer = lazySchema(() =>
  z.object({ Results: identifiedRows(caseFields(), []), ResultListCount: z.number() }),
);
