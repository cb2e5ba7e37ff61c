/** Reads SPDX licence expressions: identifiers with AND, OR and WITH. */
import { invalid } from "../../errors.js";
import { idsOf } from "./spdx.js";

export type Expression =
  | { kind: "licence"; id: string; plus: boolean; exception: string | null; isReference: boolean }
  | { kind: "and" | "or"; parts: Expression[] };

export type Licence = Extract<Expression, { kind: "licence" }>;

/** A place where the text stops being an expression. */
export class NotAnExpression extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}

interface Token {
  text: string;
  at: number;
  /** The last character before it is a blank. */
  spaced: boolean;
}

const MAX_LEVELS = 200;
const OPERATORS = ["AND", "OR", "WITH"];

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  // Only blanks divide: the specification does not mention tabs and line breaks.
  for (const { 0: found, index } of text.matchAll(/[A-Za-z0-9.-]+|[()+:]| +|./gsu)) {
    if (found.startsWith(" ")) continue;
    if (!/^[A-Za-z0-9.+():-]/.test(found))
      throw new NotAnExpression(`${JSON.stringify(found)} is not allowed in an expression`, index);
    tokens.push({ text: found, at: index, spaced: text[index - 1] === " " });
  }
  return tokens;
}

/** Throws NotAnExpression. Throws INVALID_INPUT if it is nested too deep. */
export function readExpression(text: string): Expression {
  const reader = new Reader(tokensOf(text), text.length);
  const expression = reader.either(0);
  reader.assertEnd();
  return expression;
}

class Reader {
  #at = 0;
  constructor(
    readonly tokens: readonly Token[],
    readonly length: number,
  ) {}

  get #next(): Token | undefined {
    return this.tokens[this.#at];
  }

  #fail(wanted: string): never {
    const token = this.#next;
    if (!token) throw new NotAnExpression(`The expression ends where ${wanted} must follow`, this.length);
    throw new NotAnExpression(`Unexpected \`${token.text}\`: ${wanted} must stand here`, token.at);
  }

  #takes(text: string): boolean {
    const found = this.#next?.text.toUpperCase() === text;
    if (found) this.#at++;
    return found;
  }

  either(level: number): Expression {
    return this.#chain("or", () => this.#chain("and", () => this.#single(level)));
  }

  #chain(kind: "and" | "or", read: () => Expression): Expression {
    const first = read();
    const parts = [first];
    while (this.#takes(kind.toUpperCase())) parts.push(read());
    return parts.length === 1 ? first : { kind, parts };
  }

  #single(level: number): Expression {
    if (!this.#takes("(")) return this.#licence();
    // guard: offline: a licence is nested so deeply | never | license
    if (level >= MAX_LEVELS) throw invalid("expression", `must not be nested deeper than ${MAX_LEVELS} levels`);
    const inner = this.either(level + 1);
    if (!this.#takes(")")) this.#fail("`)` or an operator");
    return inner;
  }

  #licence(): Licence {
    const reference = this.#reference();
    if (reference)
      return { kind: "licence", id: reference, plus: false, exception: this.#exception(), isReference: true };
    const name = this.#next;
    const id = name && idsOf().licence(name.text);
    if (!name || !id) this.#fail("a licence identifier");
    this.#at++;
    return { kind: "licence", id, plus: this.#plus(), exception: this.#exception(), isReference: false };
  }

  #plus(): boolean {
    if (this.#next?.text === "+" && this.#next.spaced)
      throw new NotAnExpression("Space before `+`: it must follow the identifier at once", this.#next.at);
    return this.#takes("+");
  }

  /** `LicenseRef-x`, or `DocumentRef-y:LicenseRef-x`. */
  #reference(): string | undefined {
    const name = this.#next?.text ?? "";
    if (/^DocumentRef-./i.test(name)) {
      this.#at++;
      if (!this.#takes(":")) this.#fail("`:`");
      const licence = this.#reference();
      if (!licence?.startsWith("LicenseRef-")) this.#fail("a LicenseRef");
      return `DocumentRef-${name.slice(12)}:${licence}`;
    }
    if (!/^LicenseRef-./i.test(name)) return undefined;
    this.#at++;
    return `LicenseRef-${name.slice(11)}`;
  }

  #exception(): string | null {
    if (!this.#takes("WITH")) return null;
    const name = this.#next?.text ?? "";
    const id = /^AdditionRef-./.test(name) ? name : idsOf().exception(name);
    if (!id) this.#fail("an exception identifier");
    this.#at++;
    return id;
  }

  assertEnd(): void {
    if (this.#next) this.#fail(OPERATORS.slice(0, 2).join(" or "));
  }
}

/** The expression with identifiers in the list's spelling and no needless parentheses. */
export function expressionText(expression: Expression): string {
  if (expression.kind === "licence") return licenceText(expression);
  const inner = expression.parts.map((part) => {
    const text = expressionText(part);
    return part.kind !== "licence" && part.kind !== expression.kind ? wrapped(expression.kind, text) : text;
  });
  return inner.join(` ${expression.kind.toUpperCase()} `);
}

/** AND binds closer, so alternatives inside it need parentheses. */
const wrapped = (kind: "and" | "or", text: string) => (kind === "and" ? `(${text})` : text);

export const licenceText = ({ id, plus, exception }: Licence): string =>
  id + (plus ? "+" : "") + (exception ? ` WITH ${exception}` : "");

export function licencesIn(expression: Expression): Licence[] {
  return expression.kind === "licence" ? [expression] : expression.parts.flatMap(licencesIn);
}
