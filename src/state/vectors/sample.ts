/** Sample vectors of a trial, where the database keeps vectors. */
import type { WriteScope } from "../wallet/scope.js";
import { writeVector } from "./rows.js";

const VECTORS = [
  { id: "tea", embedding: [0.9, 0.1, 0], body: "Green tea", meta: { lang: "en" } },
  { id: "coffee", embedding: [0.8, 0.3, 0.1], body: "Coffee", meta: { lang: "en" } },
  { id: "train", embedding: [0, 0.2, 0.9], body: "Night train", meta: { lang: "en" } },
];

export async function putVectors(scope: WriteScope): Promise<void> {
  if (!scope.vectors) return;
  await Promise.all(VECTORS.map((vector) => writeVector(scope, { ns: "ideas", ...vector })));
}
