/** Measuring and printing: contenders take turns, so that whatever else the machine does falls on all of them. */
const ROUNDS = 9;
const WARM_UP_MS = 400;

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {() => unknown} run one operation; awaited
 * @property {number} [units] what one operation counts for, such as the frames of an animation
 */

/**
 * Rounds in the order A B C, A B C, ...: per contender the units per second of every round.
 * @param {Contender[]} contenders
 * @param {object} [options]
 * @param {number} [options.rounds]
 * @param {number} [options.count] operations of a round; default: as many as take `roundMs`
 * @param {number} [options.warmUp] operations before the first round, where `count` is given; default: as many
 * @param {number} [options.roundMs]
 * @param {number} [options.concurrency]
 * @param {() => number | Promise<number>} [options.clock] in milliseconds; default: this process's processor time,
 * which does not run while others have the processor
 * @returns {Promise<Map<string, number[]>>}
 */
export async function race(contenders, options = {}) {
  const {
    rounds = ROUNDS,
    roundMs = 250,
    count,
    warmUp: ahead = count,
    concurrency = 1,
    clock = processorMs,
  } = options;
  const timed = (work) => timedBy(clock, work);
  const counts = new Map();
  for (const { name, run } of contenders)
    counts.set(name, count ?? (await warmUp(run, { roundMs, concurrency, timed })));
  if (count) for (const { run } of contenders) await repeat(run, ahead, concurrency);

  const rates = new Map(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, run, units = 1 } of contenders) {
      const operations = counts.get(name);
      const seconds = await timed(() => repeat(run, operations, concurrency));
      rates.get(name).push((operations * units) / seconds);
    }
  }
  return rates;
}

/** Runs until the compiler has seen enough; returns how many operations fill a round from then on. */
async function warmUp(run, { roundMs, concurrency, timed }) {
  let operations = concurrency;
  for (let spentMs = 0; ; ) {
    const ms = 1000 * (await timed(() => repeat(run, operations, concurrency)));
    spentMs += ms;
    if (spentMs >= WARM_UP_MS) return Math.max(concurrency, Math.round((operations * roundMs) / ms));
    if (ms < roundMs) operations *= 2;
  }
}

async function repeat(run, count, concurrency) {
  let started = 0;
  const worker = async () => {
    while (started++ < count) await run();
  };
  if (concurrency === 1) await worker();
  else await Promise.all(Array.from({ length: concurrency }, worker));
}

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Seconds that the work took. */
async function timedBy(clock, work) {
  const startedAt = await clock();
  await work();
  return ((await clock()) - startedAt) / 1000;
}

/** How much faster `a` is than `b`: the median over the rounds, each compared with its neighbour. */
export function ratio(rates, a, b) {
  const own = rates.get(a);
  const other = rates.get(b);
  return median(own.map((rate, round) => rate / other[round]));
}

/** @param {string} text */
export const say = (text = "") => console.log(text);

/** The first columns are text (one, if nothing is said), the others are numbers and stand right. */
export function printTable(head, rows, texts = 1) {
  const lines = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...lines.map((row) => row[column].length)));
  for (const row of lines)
    say(`  ${row.map((cell, i) => (i < texts ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("   ")}`);
}

/** Rates as a table, each beside the rate of `reference`. */
export function printRates(rates, reference, unit = "per second") {
  const rows = [...rates].map(([name, rounds]) => {
    const rate = median(rounds);
    return [name, whole(rate), each(rate), times(ratio(rates, name, reference))];
  });
  printTable(["", unit, "each", `x ${reference}`], rows);
}

/**
 * @typedef {object} Bar
 * @property {string} what
 * @property {number} [value] unset: it could not be measured
 * @property {number} [atLeast]
 * @property {number} [atMost]
 * @property {string} [why] it could not be measured
 * @property {boolean} holds
 */

/**
 * Prints a ratio beside its goal.
 * @param {string} what
 * @param {number} value
 * @param {{ atLeast?: number, atMost?: number }} goal
 * @returns {Bar} for the table at the end
 */
export function printBar(what, value, goal) {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal;
  const holds = value >= atLeast && value <= atMost;
  say(`  ${holds ? "holds" : "MISSED"}: ${what} is ${times(value)} (goal: ${goalOf(goal)})`);
  return { what, value, ...goal, holds };
}

/** For what cannot be measured on this machine: a goal that nobody measured does not hold. */
export function printSkipped(what, why) {
  say(`  SKIPPED: ${what}: ${why}`);
  return { what, why, holds: false };
}

/** @param {{ atLeast?: number, atMost?: number }} goal */
export function goalOf({ atLeast, atMost }) {
  if (atLeast !== undefined) return `at least ${atLeast}x`;
  return atMost === undefined ? "-" : `at most ${atMost}x`;
}

export const whole = (number) => Math.round(number).toLocaleString("en-US");
export const times = (number) => `${number.toFixed(2)}x`;

function each(perSecond) {
  const microseconds = 1e6 / perSecond;
  return microseconds < 1000 ? `${microseconds.toFixed(1)} us` : `${(microseconds / 1000).toFixed(2)} ms`;
}
