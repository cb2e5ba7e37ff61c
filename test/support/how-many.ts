/** Runs of a test that tries at random, or tries all: few in `npm test`, all with the proofs (`PROOFS=1`). */
export const howMany = (all: number, few: number): number => (process.env.PROOFS ? all : few);
