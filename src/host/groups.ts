import type { Catalogue } from "./catalogue.js";

/** Whether a group has an endpoint here. */
export const hasGroupOf =
  ({ capabilities }: Pick<Catalogue, "capabilities">) =>
  (group: string): boolean =>
    capabilities.some((one) => one.group === group);
