import type { KnownKeys } from "../../support/render-inventories.js";

/**
 * BrasilAPI and Minha Receita have the same form; older answers lack names of codes, and files of an old register lack
 * what it did not ask for.
 */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/cnpj/v1/*",
    source: "brasilapi.com.br/docs: CNPJ",
    objects: {},
    like: { provider: "minha-receita", path: "/*" },
  },
  {
    path: "/*",
    source: "docs.minhareceita.org and brasilapi.com.br/docs: CNPJ",
    objects: {
      "": "cnpj identificador_matriz_filial descricao_identificador_matriz_filial descricao_matriz_filial razao_social nome_fantasia situacao_cadastral descricao_situacao_cadastral data_situacao_cadastral motivo_situacao_cadastral descricao_motivo_situacao_cadastral nome_cidade_no_exterior nome_cidade_exterior codigo_pais pais data_inicio_atividade cnae_fiscal cnae_fiscal_descricao descricao_tipo_de_logradouro descricao_tipo_logradouro logradouro numero complemento bairro cep uf codigo_municipio codigo_municipio_ibge municipio ddd_telefone_1 ddd_telefone_2 ddd_fax email situacao_especial data_situacao_especial opcao_pelo_simples data_opcao_pelo_simples data_exclusao_do_simples opcao_pelo_mei data_opcao_pelo_mei data_exclusao_do_mei natureza_juridica codigo_natureza_juridica qualificacao_do_responsavel descricao_qualificacao_do_responsavel capital_social codigo_porte porte descricao_porte ente_federativo_responsavel regime_tributario qsa cnaes_secundarios cnaes_secundarias",
      "qsa[]":
        "identificador_de_socio descricao_identificador_de_socio nome_socio cnpj_cpf_do_socio codigo_qualificacao_socio qualificacao_socio percentual_capital_social data_entrada_sociedade codigo_pais pais cpf_representante_legal nome_representante_legal codigo_qualificacao_representante_legal qualificacao_representante_legal codigo_faixa_etaria faixa_etaria",
      "cnaes_secundarios[]": "codigo descricao",
    },
    rare: [
      ...["nome_fantasia", "descricao_motivo_situacao_cadastral", "natureza_juridica", "codigo_porte", "porte", "pais"],
      ...["codigo_municipio_ibge", "ddd_fax", "ddd_telefone_1", "ddd_telefone_2", "complemento", "qsa", "numero"],
      ...["descricao_tipo_de_logradouro", "opcao_pelo_simples", "data_opcao_pelo_simples", "data_exclusao_do_simples"],
      ...["opcao_pelo_mei", "data_opcao_pelo_mei", "data_exclusao_do_mei", "cnaes_secundarios", "capital_social"],
      ...["pais", "faixa_etaria", "qualificacao_socio", "nome_representante_legal", "cnpj_cpf_do_socio"].map(
        (name) => `qsa[].${name}`,
      ),
      "qsa[].qualificacao_representante_legal",
    ],
  },
];
