import type { KnownKeys } from "../../support/render-inventories.js";

/** Of a contract that nobody verified there is only its code; one made by another has the text of its twin. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/*/api/v2/smart-contracts/*",
    source: "docs.blockscout.com, PRO API: one address for all chains",
    objects: {},
    like: { provider: "blockscout", path: "/api/v2/smart-contracts/*" },
  },
  {
    path: "/*/api",
    by: "action=txlist",
    source: "docs.blockscout.com, PRO API: one address for all chains",
    objects: {},
    like: { provider: "blockscout", path: "/api", by: "action=txlist" },
  },
  {
    path: "/api/v2/smart-contracts/*",
    source: "docs.blockscout.com, OpenAPI of v2: SmartContract",
    objects: {
      "": "abi additional_sources bytecode can_be_visualized_via_sol2uml certified chain_type coin_balance compiler_settings compiler_version conflicting_implementations constructor_args contract_code_md5 creation_bytecode creation_code_hash creation_status creation_transaction_hash decoded_constructor_args deployed_bytecode evm_version external_libraries file_path github_repository_metadata has_constructor_args has_custom_methods_read has_custom_methods_write has_methods_read has_methods_read_proxy has_methods_write has_methods_write_proxy implementation_address implementation_name implementations is_blueprint is_changed_bytecode is_fully_verified is_partially_verified is_self_destructed is_verified is_verified_via_admin_panel is_verified_via_eth_bytecode_db is_verified_via_sourcify is_verified_via_verifier_alliance is_vyper_contract language license_type minimal_proxy_address_hash name optimization_enabled optimization_runs optimizations_enabled package_name proxy_type reputation source_code sourcify_repo_url status verified_at verified_twin_address_hash verified_twin_filecoin_robust_address zk_compiler_version",
      "abi[]": "anonymous constant gas inputs name outputs payable stateMutability type method_id signature",
      "abi[].inputs[]": "components indexed internalType name type unit",
    },
    rare: [
      ...["is_verified", "compiler_version", "verified_at", "name", "language", "abi"],
      ...["abi[].inputs", "abi[].stateMutability", "abi[].name", "abi[].outputs"],
    ],
  },
  {
    path: "/api",
    by: "action=txlist",
    source: "docs.blockscout.com, Etherscan-compatible endpoints",
    objects: {
      "": "message result status",
      "result[]":
        "blockHash blockNumber confirmations contractAddress cumulativeGasUsed from functionName gas gasPrice gasUsed hash input isError maxFeePerGas maxPriorityFeePerGas methodId nonce revertReason timeStamp to transactionIndex txreceipt_status type value",
    },
    rare: ["result[].contractAddress", "result[].txreceipt_status", "result[].gasPrice"],
  },
];
