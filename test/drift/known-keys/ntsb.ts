import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    method: "POST",
    path: "/carol-main-public/api/Query/Main",
    source: "data.ntsb.gov/carol-main-public, what its page reads",
    objects: {
      "": "Columns Results ResultListCount MaxResultCountReached SessionId QueryGroups",
      "Results[]": "EntryId Fields",
      "Results[].Fields[]": "FieldName Values ExportName DisplayText ColumnId",
    },
  },
];
