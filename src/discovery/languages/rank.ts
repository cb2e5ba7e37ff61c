/** Scores endpoints by the subjects that they share with a question. */
import { once } from "../../lib/lazy.js";
import { SUBJECTS } from "./subjects.js";

/** The subjects of each endpoint, by id. */
export const subjectsById: () => Map<string, string[]> = once(
  () =>
    new Map(
      SUBJECTS.trim()
        .split("\n")
        .map((line): [string, string[]] => {
          const [id = "", subjects = ""] = line.split(": ");
          return [id, subjects.split(" ")];
        }),
    ),
);

/** How much a subject tells: those of few endpoints tell most. */
const weights = once(() => {
  const counts = new Map<string, number>();
  for (const subjects of subjectsById().values())
    for (const subject of subjects) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  return new Map([...counts].map(([subject, count]) => [subject, Math.log(1 + subjectsById().size / count)]));
});

/** Scores from 0 to 1 of the endpoints that share a subject with a question. */
export function rankBySubjects(asked: Set<string>): Map<string, number> {
  const weightOf = (subjects: Iterable<string>) => {
    let sum = 0;
    for (const subject of subjects) sum += weights().get(subject) ?? 0;
    return sum;
  };
  const inQuestion = weightOf(asked);
  const scores = new Map<string, number>();
  for (const [id, subjects] of subjectsById()) {
    const shared = weightOf(subjects.filter((subject) => asked.has(subject)));
    if (shared === 0) continue;
    // An endpoint that the question names whole is meant before one of which it names a part.
    scores.set(id, (shared / inQuestion) * (0.6 + 0.4 * (shared / weightOf(subjects))));
  }
  return scores;
}
