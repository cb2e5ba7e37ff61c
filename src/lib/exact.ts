/** A computed number without the rounding noise of binary fractions: 0.3, and not 0.30000000000000004. */
export const exact = (value: number): number => Number(value.toPrecision(12));
