/** pino's call shape: an object of facts, then the sentence. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /** A logger that adds facts to every line, as pino's does. */
  child?(facts: object): Logger;
}

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** What somebody should know of, for hosts that have named no logger. */
export const consoleLogger: Logger = {
  debug() {},
  info() {},
  warn: (facts, message) => console.warn(signed(message), facts),
  error: (facts, message) => console.error(signed(message), facts),
};

const signed = (message: string) => (message.startsWith("coinslot: ") ? message : `coinslot: ${message}`);
