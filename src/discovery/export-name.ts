/** The name under which a capability is exported and its operation is known: "business.br-cnpj" is `businessBrCnpj`. */
export function exportName(id: string): string {
  return id.replace(/[.-]([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

/** The name of a tool, in which no dot may be: "business.br-cnpj" is `business_br_cnpj`. */
export const toolName = (id: string): string => id.replace(/[.-]/g, "_");
