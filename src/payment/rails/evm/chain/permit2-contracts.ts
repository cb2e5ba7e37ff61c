/** The contracts of Permit2 payments. */

/** The same address on every network. */
export const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
/** The proxies of the protocol, at the same addresses on every network: one takes the amount, one at most that, both once. */
export const EXACT_PROXY = "0x402085c248EeA27D92E8b30b2C58ed07f9E20001";
export const UPTO_PROXY = "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002";
