/** Amounts of chains: integers of the smallest unit inside, decimal strings outside. */

/** 1500000n with 6 decimals to "1.5": exact, without trailing zeros. */
export function fromUnits(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}`;
}
