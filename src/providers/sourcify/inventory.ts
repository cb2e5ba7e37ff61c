// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/server/v2/contract/*/*","objects":"\tmatch! s|verifiedAt? d|compilation! o|abi? a|signatures? o|proxyResolution? o\tcreationMatch|runtimeMatch|chainId|address|matchId|creationBytecode|deployment|devdoc|metadata|runtimeBytecode|sourceIds|sources|stdJsonInput|stdJsonOutput|storageLayout|transientStorageLayout|userdoc|additionalInput\ncompilation\tlanguage! s|compilerVersion! s|name? s\tcompiler|compilerSettings|fullyQualifiedName\nsignatures\tfunction! a|event! a|error! a\t\nsignatures.function[]\tsignature! s|signatureHash4! s\tsignatureHash32\nsignatures.event[]\tsignature! s|signatureHash4! s\tsignatureHash32\nsignatures.error[]\tsignature! s|signatureHash4! s\tsignatureHash32\nproxyResolution\tisProxy? b|proxyType? s|implementations? a\tproxyResolutionError\nproxyResolution.implementations[]\taddress! s|name? s\t"},
  {"method":"GET","path":"/signature-database/v1/lookup","objects":"\tresult! o\tok\nresult\tfunction! o\tevent|error\nresult.function{}[]\tname! s|hasVerifiedContract? b\tfiltered"},
];
