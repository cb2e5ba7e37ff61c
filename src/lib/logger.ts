/** pino's call signature: an object of facts, then the message. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /** A logger that adds facts to every line, as pino's does. */
  child?(facts: object): Logger;
}

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Prints warnings and errors, for hosts without a logger; each line begins with the name of the service. */
export const consoleLogger = (name = "coinslot"): Logger => ({
  debug() {},
  info() {},
  warn: (facts, message) => console.warn(`${name}: ${message}`, facts),
  error: (facts, message) => console.error(`${name}: ${message}`, facts),
});
