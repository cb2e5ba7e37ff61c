/** Options of `createPostgresStore`, and their checks. */
import { shape } from "../../lib/options/check.js";
import { text } from "../../lib/options/kinds.js";

export interface PostgresStoreOptions {
  /** The schema that holds the tables, created on first use. Default `coinslot`. */
  schema?: string;
}

export const postgresOptions = shape<PostgresStoreOptions>({
  schema: text("a plain schema name: lower-case letters, digits and _", /^[a-z_][a-z0-9_]{0,62}$/),
});
