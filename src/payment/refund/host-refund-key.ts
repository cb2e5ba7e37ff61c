/** Names of the records of refunds that the host asked for. */

const PREFIX = "host-refund:";

/** One for each sale, so that no sale is given back twice. */
export const hostRefundKey = (payment: string): string => PREFIX + payment;

export const isHostRefund = (key: string): boolean => key.startsWith(PREFIX);
