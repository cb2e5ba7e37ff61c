/** Business registers that states publish: New York, Colorado and Connecticut. */
import type { z } from "zod";
import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { countRows, type Dataset, readRows } from "../socrata/rows.js";
import { contains, equals } from "../socrata/soql.js";
import { coloradoRegistry } from "./colorado.js";
import { connecticutRegistry } from "./connecticut.js";
import { newYorkRegistry } from "./new-york.js";
import type { Registration, RegistryState } from "./registration.js";

/** Entities by a part of their name, or the one with this id. */
export type RegistrySearch = { name: string } | { entityId: string };

const REGISTRIES = { NY: newYorkRegistry, CO: coloradoRegistry, CT: connecticutRegistry } as const;

/** The matching entities, by name. `name` must contain more than wildcards: see `withoutWildcards`. */
export function searchRegistry(
  state: RegistryState,
  search: RegistrySearch,
  page: { limit: number; offset?: number },
  ctx: Context,
): Promise<Registration[]> {
  // One branch for each state, so that rows and their reader have matching types.
  if (state === "NY") return readRegistry(newYorkRegistry, search, page, ctx);
  if (state === "CO") return readRegistry(coloradoRegistry, search, page, ctx);
  return readRegistry(connecticutRegistry, search, page, ctx);
}

/** Number of matching entities. */
export function countRegistry(state: RegistryState, search: RegistrySearch, ctx: Context): Promise<number> {
  const registry = REGISTRIES[state];
  return countRows(registry.dataset, conditionOf(registry, search), ctx);
}

export const registryDataset = (state: RegistryState): { portal: Provider; id: string } => REGISTRIES[state].dataset;

interface Columns {
  dataset: Dataset;
  nameColumn: string;
  idColumns: string[];
}

interface Registry<Row> extends Columns {
  /** All columns that are read. They are requested by name, so that the portal refuses renamed ones. */
  columns: () => string[];
  row: () => z.ZodType<Row>;
  toRegistration(row: Row): Registration;
}

async function readRegistry<Row>(
  registry: Registry<Row>,
  search: RegistrySearch,
  page: { limit: number; offset?: number },
  ctx: Context,
): Promise<Registration[]> {
  const where = conditionOf(registry, search);
  const order = `${registry.nameColumn},${registry.idColumns.at(-1)}`;
  const rows = await readRows(
    registry.dataset,
    { select: registry.columns(), where, order, ...page },
    registry.row(),
    ctx,
  );
  return rows.map((row) => registry.toRegistration(row));
}

const conditionOf = ({ nameColumn, idColumns }: Columns, search: RegistrySearch): string =>
  "name" in search
    ? contains(nameColumn, search.name)
    : idColumns.map((column) => equals(column, search.entityId)).join(" OR ");
