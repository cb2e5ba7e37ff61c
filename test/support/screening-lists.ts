/** The files of the lists that a business is screened against, with entries that do not exist. */

import { amongOthers, entry, sdnCsv } from "./ofac.js";
import { storedZip } from "./stored-zip.js";
import type { Exchange } from "./upstream.js";

const csv = { "content-type": "text/csv" };

export const ofacFiles: Exchange[] = [
  {
    url: "/SDN.CSV",
    body: sdnCsv(amongOthers(entry(1, "ZAREH MARITIME LLC"), entry(2, "OBRENOVIC, Dragan Petar", "individual"))),
    headers: csv,
  },
  { url: "/ALT.CSV", body: '1,12,"aka","ZAREH SHIPPING",-0- \r\n', headers: csv },
];

const CSL_HEADER =
  "_id,source,entity_number,type,programs,name,start_date,federal_register_notice,source_list_url,alt_names";
export const cslFile: Exchange = {
  url: "/consolidated.csv",
  headers: csv,
  body: [
    CSL_HEADER,
    'a,"Entity List (EL) - Bureau of Industry and Security","","","","Quillon Optics Institute","2018-08-01","83 FR 37423","https://www.bis.gov","Quillon Optoelectronics; and QOI Laboratory"',
    'b,"Specially Designated Nationals (SDN) - Treasury Department","1","Entity","SDGT","ZAREH MARITIME LLC","","","",""',
  ].join("\n"),
};

const SAM_HEADER =
  "Classification,Name,First,Middle,Last,Suffix,Country,Unique Entity ID,Exclusion Program,Excluding Agency,Exclusion Type,Active Date,Termination Date,Record Status";
const SAM_ROWS = [
  SAM_HEADER,
  '"Firm","Bramblewick Fuels GmbH & Co. KG","","","","","DEU","ABC123","Reciprocal","DLA","Ineligible","03/13/2015","Indefinite","Active"',
  '"Individual","","Tobias","","Wrenfield","","USA","","Reciprocal","HHS","Prohibition","10/30/2023","10/30/2026","Active"',
].join("\n");

/** The list of extracts, the newest of which is the second. */
export const samFiles: Exchange[] = [
  {
    url: "/listfiles",
    body: {
      _embedded: {
        customS3ObjectSummaryList: [
          { key: "Exclusions/Public V2/SAM_Exclusions_Public_Extract_V2_26001.ZIP" },
          { key: "Exclusions/Public V2/SAM_Exclusions_Public_Extract_V2_26325.ZIP" },
        ],
      },
    },
  },
  { url: "V2_26325.ZIP", body: storedZip({ "SAM_Exclusions.CSV": SAM_ROWS }) },
];
