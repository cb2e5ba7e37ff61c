/** Sessions as a login keeps them: a random cookie, and whose it is. */
import { randomBytes } from "node:crypto";

export function createSessions() {
  const users = new Map();
  return {
    /** @param {string} user the id of a user, who has proven it is them */
    begin(user) {
      const token = randomBytes(32).toString("base64url");
      users.set(token, user);
      return `session=${token}; HttpOnly; Secure; SameSite=Lax; Path=/`;
    },
    /** @param {string | null | undefined} cookie */
    userOf: (cookie) => users.get(/(?:^|; )session=([\w-]+)/.exec(cookie ?? "")?.[1] ?? ""),
  };
}
