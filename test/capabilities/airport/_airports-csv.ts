/** A file of airports, in the form of the real one. */
export const HEADER =
  '"id","ident","type","name","latitude_deg","longitude_deg","elevation_ft","continent","iso_country","iso_region","municipality","scheduled_service","icao_code","iata_code","gps_code","local_code","home_link","wikipedia_link","keywords"';

export interface Fields {
  id?: number;
  ident: string;
  type?: string;
  name?: string;
  lat?: number | string;
  lon?: number | string;
  elevation?: number | string;
  continent?: string;
  country?: string;
  scheduled?: string;
  icao?: string;
  iata?: string;
  gps?: string;
  local?: string;
  wikipedia?: string;
}

const quoted = (text = "") => (text ? `"${text}"` : "");

export function row({ id = 1, type = "small_airport", name = "Field", lat = 0, lon = 0, ...rest }: Fields): string {
  const { ident, elevation = "", continent = "EU", country = "DE", scheduled = "no" } = rest;
  const place = [lat, lon, elevation, quoted(continent), quoted(country), quoted(`${country}-BY`), quoted("Town")];
  const codes = [rest.icao, rest.iata, rest.gps, rest.local].map(quoted);
  const links = ['"https://home.example"', quoted(rest.wikipedia), '"one, two ""three"""'];
  return [id, quoted(ident), quoted(type), quoted(name), ...place, quoted(scheduled), ...codes, ...links].join(",");
}

export const fileOf = (...airports: Fields[]): string => `${[HEADER, ...airports.map(row)].join("\n")}\n`;
