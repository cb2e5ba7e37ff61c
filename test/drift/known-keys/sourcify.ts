import type { KnownKeys } from "../../support/render-inventories.js";

const SIGNATURE = "signature signatureHash32 signatureHash4";

/** A contract with an exact match of its code at run time may have none of its creation. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/server/v2/contract/*/*",
    source: "sourcify.dev/server/api-docs, contract lookup of v2",
    objects: {
      "": "match creationMatch runtimeMatch chainId address verifiedAt matchId abi compilation creationBytecode deployment devdoc metadata proxyResolution runtimeBytecode signatures sourceIds sources stdJsonInput stdJsonOutput storageLayout transientStorageLayout userdoc additionalInput",
      compilation: "language compiler compilerVersion compilerSettings name fullyQualifiedName",
      signatures: "function event error",
      "signatures.function[]": SIGNATURE,
      "signatures.event[]": SIGNATURE,
      "signatures.error[]": SIGNATURE,
      proxyResolution: "isProxy proxyType implementations proxyResolutionError",
      "proxyResolution.implementations[]": "address name",
    },
    rare: [
      ...["signatures", "proxyResolution", "verifiedAt", "proxyResolution.proxyType", "abi", "compilation.name"],
      ...["proxyResolution.implementations", "proxyResolution.implementations[].name", "proxyResolution.isProxy"],
    ],
  },
  {
    path: "/signature-database/v1/lookup",
    source: "docs.sourcify.dev, 4byte signature database",
    objects: {
      "": "ok result",
      result: "function event error",
      "result.function{}[]": "name filtered hasVerifiedContract",
    },
    rare: ["result.function{}[].hasVerifiedContract"],
  },
];
