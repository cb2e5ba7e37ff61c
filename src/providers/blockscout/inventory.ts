// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api","by":"action=txlist","objects":"\tresult! a\tmessage|status\nresult[]\tblockNumber! f|confirmations! f|contractAddress! s|from! s|gas! f|gasPrice! f|gasUsed! f|hash! s|input! s|isError! f|nonce! f|timeStamp! f|to! s|txreceipt_status! f|value! f\tblockHash|cumulativeGasUsed|methodId|transactionIndex"},
  {"method":"GET","path":"/api/v2/smart-contracts/*","objects":"\tis_verified! b|compiler_version! s|verified_at! d|name! s|language! s|abi! a\tis_self_destructed|file_path|optimization_enabled|verified_twin_address_hash|compiler_settings|optimization_runs|sourcify_repo_url|decoded_constructor_args|is_verified_via_verifier_alliance|implementations|proxy_type|external_libraries|status|is_blueprint|license_type|is_fully_verified|is_verified_via_eth_bytecode_db|evm_version|can_be_visualized_via_sol2uml|is_verified_via_sourcify|certified|is_changed_bytecode|is_partially_verified|constructor_args\nabi[]\tinputs! a|stateMutability s|type! s|name s|outputs a\tanonymous\nabi[].inputs[]\ttype! s\tindexed|internalType|name"},
];
