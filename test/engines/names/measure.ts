/** Precision and recall of a matcher on a table of pairs, printed with every pair that it gets wrong. */
type Pair = readonly [asked: string, other: string, ...rest: unknown[]];

export async function measure<P extends Pair>(
  what: string,
  pairs: readonly P[],
  judge: (pair: P) => Promise<{ score: number; same: boolean }>,
): Promise<{ precision: number; recall: number }> {
  const counts = { hits: 0, misses: 0, falseAlarms: 0, rejections: 0 };
  const wrong: string[] = [];
  for (const pair of pairs) {
    const { score, same } = await judge(pair);
    const meant = pair.at(-1) === true;
    counts[same ? (meant ? "hits" : "falseAlarms") : meant ? "misses" : "rejections"]++;
    if (same !== meant) wrong.push(`${meant ? "missed" : "false alarm"}: ${pair[0]} | ${pair[1]} (${score})`);
  }
  const { hits, misses, falseAlarms } = counts;
  const [precision, recall] = [hits / (hits + falseAlarms), hits / (hits + misses)];
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const title = `${what}: ${pairs.length} pairs, precision ${percent(precision)}, recall ${percent(recall)}`;
  process.stdout.write(`${[title, ...wrong].join("\n  ")}\n`);
  return { precision, recall };
}
