/** The used part of fontoxpath 3. */

/** How the library sees a document. Nodes are those of slimdom. */
export interface DomFacade {
  getAllAttributes(node: never, bucket?: string | null): never[];
  getAttribute(node: never, name: string): string | null;
  getChildNodes(node: never, bucket?: string | null): never[];
  getData(node: never): string;
  getFirstChild(node: never, bucket?: string | null): never;
  getLastChild(node: never, bucket?: string | null): never;
  getNextSibling(node: never, bucket?: string | null): never;
  getParentNode(node: never, bucket?: string | null): never;
  getPreviousSibling(node: never, bucket?: string | null): never;
}

export interface Options {
  namespaceResolver?: (prefix: string) => string | null;
  language?: string;
}

type Evaluate<Result> = (
  expression: string,
  node: unknown,
  facade: DomFacade,
  variables: Record<string, unknown> | null,
  options: Options,
) => Result;

export interface Xpath {
  evaluateXPath: { XPATH_3_1_LANGUAGE: string };
  evaluateXPathToBoolean: Evaluate<boolean>;
  evaluateXPathToString: Evaluate<string>;
  evaluateXPathToNodes<Found>(...args: Parameters<Evaluate<Found[]>>): Found[];
  registerCustomXPathFunction(
    name: { namespaceURI: string; localName: string },
    parameters: string[],
    result: string,
    compute: (context: unknown, ...given: never[]) => unknown,
  ): void;
}

/** `refuse` throws for a package that is not installed. */
export function importXpath(refuse: (error: unknown) => never): Promise<Xpath>;
