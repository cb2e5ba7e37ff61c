/** Export name and operation id of a capability: "business.br-cnpj" is `businessBrCnpj`. */
export function exportName(id: string): string {
  return id.replace(/[.-]([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

/** Tool name of a capability, which must not contain a dot: "business.br-cnpj" is `business_br_cnpj`. */
export const toolName = (id: string): string => id.replace(/[.-]/g, "_");
