/** The normal distribution. */

/** W. J. Cody's rational approximations of erf and erfc (Math. Comp. 23, 1969), right to 1e-15 or so. */
const NEAR = {
  p: [3209.3775891384694, 377.485237685302, 113.8641541510502, 3.1611237438705655, 0.1857777061846032],
  q: [2844.236833439171, 1282.616526077372, 244.0246379344442, 23.60129095234412, 1],
};
const MIDDLE = {
  p: [
    1230.3393547979972, 2051.0783778260716, 1712.0476126340707, 881.952221241769, 298.6351381974001, 66.11919063714163,
    8.883149794388377, 0.5641884969886701, 2.1531153547440383e-8,
  ],
  q: [
    1230.3393548037495, 3439.3676741437216, 4362.619090143247, 3290.7992357334597, 1621.3895745666903,
    537.1811018620099, 117.6939508913125, 15.744926110709835, 1,
  ],
};
const FAR = {
  p: [
    0.0006587491615298378, 0.016083785148742275, 0.12578172611122926, 0.36034489994980445, 0.30532663496123236,
    0.016315387137302097,
  ],
  q: [0.0023352049762686918, 0.06051834131244132, 0.5279051029514285, 1.8729528499234604, 2.568520192289822, 1],
};

/** Horner's scheme over coefficients that begin with the constant. */
const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
const ratio = ({ p, q }: { p: readonly number[]; q: readonly number[] }, x: number): number =>
  polynomial(p, x) / polynomial(q, x);

/** The complementary error function. */
function erfc(x: number): number {
  const y = Math.abs(x);
  if (y <= 0.46875) return 1 - x * ratio(NEAR, x * x);
  const tail = Math.exp(-y * y) * (y <= 4 ? ratio(MIDDLE, y) : farRatio(y));
  return x < 0 ? 2 - tail : tail;
}

function farRatio(y: number): number {
  const inverse = 1 / (y * y);
  return (1 / Math.sqrt(Math.PI) - inverse * ratio(FAR, inverse)) / y;
}

/** The share of a standard normal distribution below `x`. */
export const cumulative = (x: number): number => erfc(-x / Math.SQRT2) / 2;

export const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
