/** Whose turn is next, without threads. */
import { expect, test } from "vitest";
import type { Payer } from "../../../src/lib/threads/payer.js";
import { createTurns } from "../../../src/lib/threads/turns.js";

interface Facts {
  isKnown: boolean;
  isQuick: boolean;
}

const job = (name: string, { isKnown, isQuick }: Facts) => {
  const payer: Payer = { name, isKnown, isUndecided: false, assertLeft() {}, spend() {}, lost() {}, gaveUp() {} };
  return { payer, isQuick };
};
type Job = ReturnType<typeof job>;
type Lists = Map<string | undefined, Job[]>;

function turnsOf(lists: Lists) {
  const turns = createTurns(() => 0);
  return {
    ...turns,
    /** The name whose task starts, of those that may. */
    start(mayStart: (one: Job) => boolean = () => true): string | undefined {
      const one = turns.next(lists, mayStart);
      if (one) turns.started(one);
      return one?.payer.name;
    },
  };
}

test("ATK-16 a stranger who had a thread before has one again, though new names keep coming after it", () => {
  const lists: Lists = new Map();
  const join = (name: string) => lists.set(name, [job(name, { isKnown: false, isQuick: false })]);
  for (let i = 0; i < 10; i++) join(`before ${i}`);
  join("honest");
  const turns = turnsOf(lists);
  turns.took("honest", 450);
  let steps = 0;
  for (let taken: string | undefined; taken !== "honest" && steps < 500; steps++) {
    join(`new ${steps}`);
    taken = turns.start();
    lists.delete(taken);
  }
  expect(steps).toBeLessThanOrEqual(3 * 11);
});

test.each([
  ["customers", true],
  ["strangers", false],
])("ATK-16 large tasks of %s, which start in between, keep no side from the quick place", (_, isKnown) => {
  const lists: Lists = new Map();
  const join = (name: string, facts: Facts) => lists.set(name, [job(name, facts)]);
  join("customer", { isKnown: true, isQuick: true });
  join("stranger", { isKnown: false, isQuick: true });
  join("large", { isKnown, isQuick: false });
  const turns = turnsOf(lists);
  const taken: (string | undefined)[] = [];
  for (let step = 0; step < 4; step++) {
    taken.push(turns.start(({ isQuick }) => isQuick));
    expect(turns.start(({ isQuick }) => !isQuick)).toBe("large");
  }
  expect(taken.slice(2).toSorted()).toEqual(["customer", "stranger"]);
});
