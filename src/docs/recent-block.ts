/** A recent block of Solana for our own pages, which sign with it: their policy lets them ask this service alone, and no node. */
import { CapabilityError } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";
import type { Service } from "../host/routes.js";

/** `GET <basePath>/docs/recent-block.json?network=solana:…` */
export const recentBlockService = ({ networks, recentBlocks }: Catalogue): Service => ({
  kind: "service",
  methods: ["GET"],
  async answer({ url, headers }, { publicOrigin }) {
    // The host's node is there for the host's own pages. Programs send no such header, and have nodes of their own.
    const site = headers.get("sec-fetch-site");
    if (site !== null && site !== "same-origin" && site !== "none")
      throw new CapabilityError("NOT_ALLOWED", "Pages of this service alone are told a recent block.");
    const network = new URL(url).searchParams.get("network") ?? "";
    const read = recentBlocks.get(network);
    if (read) return Response.json(await read(), { headers: ofOwnPages(publicOrigin) });
    if (isSolana(network) && networks.includes(network))
      throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "This service has no Solana node.");
    throw new CapabilityError("NOT_FOUND", "No payments that need a recent block are taken on this network.");
  },
});

export const isSolana = (network: string): boolean => network.startsWith("solana:");

/** Documents are open to scripts of every page; this is not. */
const ofOwnPages = (publicOrigin: string) => ({
  "access-control-allow-origin": new URL(publicOrigin).origin,
  "cross-origin-resource-policy": "same-origin",
  vary: "sec-fetch-site",
});
