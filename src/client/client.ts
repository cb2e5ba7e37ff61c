/** The type of a client. */
import type { capabilities } from "../capabilities/index.js";
import type { AnyCapability } from "../capability/types.js";
import type { CatalogueClient } from "./catalogue.js";
import type { ClientServices, Endpoint } from "./types.js";

/** The capabilities of this package. */
export type Catalogue = (typeof capabilities)[number];

type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;
type GroupOf<Id extends string> = Id extends `${infer Group}.${string}` ? Camel<Group> : never;
type NameOf<Id extends string> = Id extends `${string}.${infer Name}` ? Camel<Name> : never;

type Groups<C extends AnyCapability> = {
  readonly [Group in GroupOf<C["id"]>]: {
    readonly [One in C as GroupOf<One["id"]> extends Group ? NameOf<One["id"]> : never]: Endpoint<One>;
  };
};

/**
 * `client.<group>.<name>(input)`, with ids in camelCase: "business.br-cnpj" is `client.business.brCnpj`. The endpoints of
 * this package come with their documentation; a host's own are derived from their types.
 */
export type Client<C extends AnyCapability = Catalogue> = (Catalogue extends C
  ? CatalogueClient & Groups<Exclude<C, Catalogue>>
  : Groups<C>) &
  ClientServices<C>;
