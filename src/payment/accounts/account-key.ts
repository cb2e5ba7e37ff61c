/** Names of the records of accounts in the store. */
const PREFIX = "account:";

export const accountPrefix = PREFIX;
export const accountKey = (id: string): string => PREFIX + id;

/** The account of a record; undefined for records of other kinds. */
export const accountOfKey = (key: string): string | undefined =>
  key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
