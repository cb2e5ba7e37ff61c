/** pino's call shape: an object of facts, then the sentence. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
