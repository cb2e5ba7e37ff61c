/** Sample values of a trial, under the keys of the operations' examples. */
import type { WriteScope } from "../wallet/scope.js";
import { writeValue } from "./rows.js";

const VALUES = { greeting: { text: "hello" }, farewell: { text: "bye" }, visits: 3 };

export async function putValues(scope: WriteScope): Promise<void> {
  const writes = Object.entries(VALUES).map(([key, value]) => writeValue(scope, { ns: "memory", key, value }));
  await Promise.all(writes);
}
