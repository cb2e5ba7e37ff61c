/** The sample file of a trial. */
import type { WriteScope } from "../wallet/scope.js";
import { fileOf, writeFile } from "./rows.js";

export async function putFile(scope: WriteScope): Promise<void> {
  await writeFile(scope, fileOf({ ns: "files", key: "hello.txt", data: "aGVsbG8=", contentType: "text/plain" }));
}
