/** The credit of wallets in a world: what was issued, what is left, and what went back to a wallet. */

interface Purse {
  /** What each part was when it first came, and what is left of it. */
  lots: Map<string, { issued: bigint; left: bigint }>;
  out: string | undefined;
}

/** Credit that goes back to its wallet. */
export interface CreditReturn {
  name: string;
  payer: string;
  amount: bigint;
  state: "owed" | "returned" | "credited" | "void";
  /** Whether the amount has left the credit. */
  isOut: boolean;
}

type Fail = (rule: string, what: string) => void;
type Stored = {
  lots: Record<string, { left: string }>;
  holds: Record<string, { amount: string; ended?: true }>;
  out?: { name: string; amount: string };
};

export class WalletCredits {
  readonly #fail: Fail;
  readonly #purses = new Map<string, Purse>();
  readonly #returns = new Map<string, CreditReturn>();

  constructor(fail: Fail) {
    this.#fail = fail;
  }

  wrote(key: string, value: string): void {
    if (key.startsWith("wallet-credit:")) this.#wrotePurse(key, JSON.parse(value));
    if (key.startsWith("credit-return:")) this.#wroteReturn(key.slice("credit-return:".length), JSON.parse(value));
  }

  #wrotePurse(key: string, { lots, holds, out }: Stored): void {
    const purse: Purse = this.#purses.get(key) ?? { lots: new Map(), out: undefined };
    this.#purses.set(key, purse);
    for (const [name, { left: text }] of Object.entries(lots)) {
      const left = BigInt(text);
      const known = purse.lots.get(name);
      if (left < 0n || (known && left > known.left))
        this.#fail("credit", `${name} rose from ${known?.left} to ${left}`);
      purse.lots.set(name, { issued: known?.issued ?? left, left });
    }
    for (const name of purse.lots.keys())
      if (!(name in lots) && purse.lots.get(name)?.left !== 0n)
        this.#fail("credit", `${name} is gone, and was not spent`);
    const live = Object.values(holds).filter(({ ended }) => !ended);
    const held = live.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    const balance = [...purse.lots.values()].reduce((sum, { left }) => sum + left, 0n);
    if (held > balance) this.#fail("credit", `${held} of a balance of ${balance} are held`);
    if (out && out.name !== purse.out) this.#left(out.name, BigInt(out.amount));
    purse.out = out?.name;
  }

  #left(name: string, amount: bigint): void {
    const known = this.#returns.get(name);
    if (!known || known.isOut || known.amount !== amount)
      this.#fail("PAY-40", `${amount} left the credit as ${name}, of which ${known?.amount} were noted`);
    if (known) known.isOut = true;
  }

  #wroteReturn(
    name: string,
    { payer, refund }: { payer: string; refund: { amount: string; state: CreditReturn["state"] } },
  ) {
    const known = this.#returns.get(name);
    if (known && known.state !== "owed" && known.state !== refund.state)
      this.#fail("PAY-40", `credit that went back as ${name} was ${known.state} and is ${refund.state} now`);
    const { amount, state } = refund;
    this.#returns.set(name, { name, payer, amount: BigInt(amount), state, isOut: known?.isOut ?? false });
  }

  /** Those whose amount left the credit. */
  returns(): CreditReturn[] {
    return [...this.#returns.values()].filter(({ isOut }) => isOut);
  }

  /** Issued for the first time: what came back as credit again was issued before. */
  get issued(): bigint {
    return this.#sum(({ issued }, name) => (this.#returns.has(name) ? 0n : issued));
  }

  /** Taken by calls: what is neither left nor left the credit as a return. */
  get spent(): bigint {
    const all = this.#sum(({ issued, left }) => issued - left);
    return this.returns().reduce((sum, { amount }) => sum - amount, all);
  }

  #sum(of: (lot: { issued: bigint; left: bigint }, name: string) => bigint): bigint {
    const lots = [...this.#purses.values()].flatMap((purse) => [...purse.lots]);
    return lots.reduce((sum, [name, lot]) => sum + of(lot, name), 0n);
  }
}
