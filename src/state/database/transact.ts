/** A transaction over statements in their order, in as few round trips as its statements allow. */
import type { Statements, TransactionStatements } from "./database.js";

/**
 * The first statement leaves with `begin`, and what was sent leaves with `commit`. After a failure the caller rolls
 * back, unless `isLast` was called, when the commit has left: one that follows a failed statement changes nothing.
 */
export async function transact<T>(
  ordered: Statements,
  begin: string,
  work: (tx: TransactionStatements) => Promise<T>,
  isLast: () => void = () => {},
): Promise<T> {
  const begun = quiet(ordered.query(begin));
  const sent: Promise<unknown>[] = [begun];
  const result = await work({
    async query(text, values) {
      const [answer] = await Promise.all([ordered.query(text, values), begun]);
      return answer;
    },
    send: (text, values) => void sent.push(quiet(ordered.query(text, values))),
  });
  const committed = ordered.query("commit");
  isLast();
  // guard: wallets: what is sent and fails, fails its transaction |
  //   Promise.all([...sent, committed]) -> committed | sent
  await Promise.all([...sent, committed]);
  return result;
}

/** Its failure is reported where it is awaited, which may be later. */
function quiet<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {});
  return answer;
}
