/** Address fields that identify a house. Towns, regions and countries do not; a postal code can. */
const DOOR = {
  line1: null,
  line2: null,
  street: null,
  number: null,
  complement: null,
  district: null,
  address: null,
  postalCode: null,
  postOfficeBox: null,
  latitude: null,
  longitude: null,
} as const;

type Address = { [K in keyof typeof DOOR]?: string | number | null } & { lines?: string[] };

/**
 * Removes the house from the address of a one-person business (a sole trader, a microentrepreneur), or of its
 * representative, because it is often a home. Town, region and country stay.
 */
export function redactStreetAddress<A extends Address>(address: A): A {
  const known = Object.entries(DOOR).filter(([field]) => field in address);
  return { ...address, ...Object.fromEntries(known), ...(address.lines && { lines: [] }) };
}
