/** A legal entity of Brazil's register. Codes come as integers, without their leading zeros. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { failover } from "../../upstream/failover.js";
import { day, flag, id, label, list, number, whole } from "../../upstream/fields.js";
import { brasilApi, minhaReceita } from "./provider.js";

/** Older answers have it as a number, without its leading zero. */
const postcode = () => id().transform((value) => (value && /^\d{1,7}$/.test(value) ? value.padStart(8, "0") : value));

const company = lazySchema(() =>
  whole(
    {
      cnpj: z.string(),
      razao_social: z.string(),
      nome_fantasia: label(),
      situacao_cadastral: number(),
      descricao_situacao_cadastral: label(),
      data_situacao_cadastral: day(),
      descricao_motivo_situacao_cadastral: label(),
      identificador_matriz_filial: number(),
      data_inicio_atividade: day(),
      codigo_natureza_juridica: id(),
      natureza_juridica: label(),
      codigo_porte: id(),
      porte: label(),
      capital_social: number(),
      cnae_fiscal: id(),
      cnae_fiscal_descricao: label(),
      cnaes_secundarios: list(whole({ codigo: id(), descricao: label() })),
      descricao_tipo_de_logradouro: label(),
      logradouro: label(),
      numero: id(),
      complemento: label(),
      bairro: label(),
      municipio: label(),
      uf: label(),
      cep: postcode(),
      codigo_municipio_ibge: id(),
      pais: label(),
      ddd_telefone_1: label(),
      ddd_telefone_2: label(),
      ddd_fax: label(),
      opcao_pelo_simples: flag(),
      data_opcao_pelo_simples: day(),
      data_exclusao_do_simples: day(),
      opcao_pelo_mei: flag(),
      data_opcao_pelo_mei: day(),
      data_exclusao_do_mei: day(),
      qsa: list(
        whole({
          nome_socio: label(),
          cnpj_cpf_do_socio: label(),
          identificador_de_socio: number(),
          qualificacao_socio: label(),
          data_entrada_sociedade: day(),
          faixa_etaria: label(),
          pais: label(),
          nome_representante_legal: label(),
          qualificacao_representante_legal: label(),
        }),
      ),
    },
    // In older answers the second one stands for `descricao_tipo_de_logradouro`.
    { email: label(), descricao_tipo_logradouro: label() },
  ),
);
export type BrazilianCompany = z.output<ReturnType<typeof company>>;

/** The entity of a CNPJ, and the source; undefined if the register has none, in which case no other source is asked. */
export async function findBrazilianCompany(cnpj: string, ctx: Context) {
  const ask = (provider: Provider) => async () => {
    const found = await upstream(ctx, provider).get(segments(cnpj), {
      schema: company().refine((found) => found.cnpj.replace(/[./-]/g, "") === cnpj),
      absent: [404],
      ttlMs: DAY_MS,
      staleMs: 7 * DAY_MS,
    });
    return found && { company: found, provider };
  };
  return failover(ask(minhaReceita), ask(brasilApi));
}
