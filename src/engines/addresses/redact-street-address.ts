/** What leads to a door. Towns, regions and countries do not; a postal code can stand for a single house. */
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
 * The address of a business that is one person (a sole trader, a microentrepreneur), or of a person who acts for one: it is
 * often a home, and homes are not passed on. What is left says where, and not at which door.
 */
export function redactStreetAddress<A extends Address>(address: A): A {
  const known = Object.entries(DOOR).filter(([field]) => field in address);
  return { ...address, ...Object.fromEntries(known), ...(address.lines && { lines: [] }) };
}
