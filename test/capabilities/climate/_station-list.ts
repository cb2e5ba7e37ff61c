/** Lines of a station list, in the fixed columns of the real one. */
interface Fields {
  id: string;
  lat: number;
  lon: number;
  elevation?: number;
  state?: string;
  name?: string;
  gsn?: boolean;
  network?: string;
  wmo?: string;
}

function line({ id, lat, lon, elevation = 10.4, state = "", name = "SOMEWHERE", ...rest }: Fields): string {
  const place = `${lat.toFixed(4).padStart(8)} ${lon.toFixed(4).padStart(9)} ${elevation.toFixed(1).padStart(6)}`;
  const flags = `${(rest.gsn ? "GSN" : "").padEnd(3)} ${(rest.network ?? "").padEnd(3)}`;
  return `${id} ${place} ${state.padEnd(2)} ${name.padEnd(30)} ${flags} ${(rest.wmo ?? "").padEnd(5)}`;
}

export const listOf = (...stations: Fields[]): string => `${stations.map(line).join("\n")}\n`;

export const emirates = listOf(
  { id: "ACW00011604", lat: 17.1167, lon: -61.7833, name: "ST JOHNS COOLIDGE FLD" },
  { id: "AE000041196", lat: 25.333, lon: 55.517, elevation: 34, name: "SHARJAH INTER. AIRP", gsn: true, wmo: "41196" },
  { id: "AEM00041194", lat: 25.255, lon: 55.364, name: "DUBAI INTL", wmo: "41194" },
  { id: "AEM00041217", lat: 24.433, lon: 54.651, elevation: 26.8, name: "ABU DHABI INTL", wmo: "41217" },
);
