/** A country or territory in the generated table. */
export interface Country {
  alpha2: string;
  alpha3: string;
  numeric: string | null;
  cioc: string | null;
  commonName: string;
  officialName: string;
  nativeNames: { lang: string; common: string; official: string }[];
  altSpellings: string[];
  capital: string[];
  region: string | null;
  subregion: string | null;
  independent: boolean | null;
  status: string;
  unMember: boolean;
  unRegionalGroup: string | null;
  currencies: { code: string; name: string; symbol: string }[];
  languages: { code: string; name: string }[];
  callingCodes: string[];
  tld: string[];
  borders: string[];
  area: number | null;
  latitude: number;
  longitude: number;
  landlocked: boolean;
  demonym: string | null;
  /** Its names in other languages. */
  translations: string[];
}
