/** A report of `doctor --live`, as the texts of issues. */

const TO_MEND = ["empty", "stale", "shape", "parser"];

/** Findings that are ours to mend, by provider. */
export function byProvider({ findings }) {
  const found = new Map();
  for (const finding of findings.filter((one) => TO_MEND.includes(one.class)))
    found.set(finding.provider, [...(found.get(finding.provider) ?? []), finding]);
  return found;
}

export function textOf(findings, { versions, day }) {
  const lines = findings.flatMap(
    ({ call, class: own, differences, breaks, ageDays, allowedDays, emptyList, codes }) => [
      `### ${call}: ${own}`,
      `Breaks ${breaks.map((id) => `\`${id}\``).join(", ")}.${codes.length > 0 ? ` Callers get ${codes.join(", ")}.` : ""}`,
      ...differences.map(
        ({ path, was, now, count, of }) => `- \`${path || "$"}\`: ${was} -> ${now} (${count} of ${of})`,
      ),
      ...(ageDays === undefined ? [] : [`- the newest data is ${ageDays} days old, allowed ${allowedDays}`]),
      ...(emptyList === undefined ? [] : [`- \`${emptyList}\` has no rows`]),
      "",
    ],
  );
  return [...lines, `Last seen on ${day} with coinslot ${versions.coinslot}.`].join("\n");
}

/** What could not be asked says nothing about its provider, so its issue stays as it is. */
export const unknownProviders = ({ findings }) =>
  new Set(findings.filter((one) => !TO_MEND.includes(one.class)).map(({ provider }) => provider));
