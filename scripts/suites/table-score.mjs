/**
 * The score of the ICDAR 2013 table competition (Göbel, Hassan, Oro and Orsi, "A Methodology for Evaluating Algorithms for
 * Table Understanding in PDF Documents", 2012): relations of neighbouring cells, each two texts and a direction. Of what a
 * program finds, the share that is in the document is its precision; of what is there, the share found is its recall.
 */

/** Blanks and signs that are no letters or digits do not count, as in the competition. */
const normal = (text) =>
  text
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

/** @typedef {{ text: string, row: number, column: number, rows?: number, columns?: number }} Cell */

/**
 * The next cell with text to the right and below, of each cell.
 * @param {Cell[]} cells
 * @returns {string[]} `text → text` and `text ↓ text`
 */
export function relationsOf(cells) {
  const filled = cells.filter(({ text }) => text.trim() !== "");
  const at = new Map();
  for (const cell of filled)
    for (let r = 0; r < (cell.rows ?? 1); r++)
      for (let c = 0; c < (cell.columns ?? 1); c++) at.set(`${cell.row + r},${cell.column + c}`, cell);
  const width = Math.max(0, ...filled.map(({ column, columns = 1 }) => column + columns));
  const height = Math.max(0, ...filled.map(({ row, rows = 1 }) => row + rows));
  const relations = [];
  for (const cell of filled) {
    const [right, below] = [new Set(), new Set()];
    for (let r = 0; r < (cell.rows ?? 1); r++)
      right.add(next(at, cell.row + r, cell.column + (cell.columns ?? 1), 0, 1, width));
    for (let c = 0; c < (cell.columns ?? 1); c++)
      below.add(next(at, cell.row + (cell.rows ?? 1), cell.column + c, 1, 0, height));
    for (const other of right) if (other) relations.push(`${normal(cell.text)} → ${normal(other.text)}`);
    for (const other of below) if (other) relations.push(`${normal(cell.text)} ↓ ${normal(other.text)}`);
  }
  return relations;
}

function next(at, row, column, down, across, limit) {
  for (let [r, c] = [row, column]; (down ? r : c) < limit; r += down, c += across) {
    const cell = at.get(`${r},${c}`);
    if (cell) return cell;
  }
  return undefined;
}

/**
 * @param {string[]} found
 * @param {string[]} wanted
 */
export function scoreOf(found, wanted) {
  const left = new Map();
  for (const relation of wanted) left.set(relation, (left.get(relation) ?? 0) + 1);
  let right = 0;
  for (const relation of found) {
    const count = left.get(relation) ?? 0;
    if (count === 0) continue;
    left.set(relation, count - 1);
    right++;
  }
  return { right, found: found.length, wanted: wanted.length };
}

/** Cells of a table of plain rows. */
export const cellsOfRows = (rows) => rows.flatMap((texts, row) => texts.map((text, column) => ({ text, row, column })));

/** Precision, recall and F, each document counting the same. */
export function average(scores) {
  const share = (part, whole) => (whole === 0 ? 0 : part / whole);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const precision = mean(scores.map(({ right, found }) => share(right, found)));
  const recall = mean(scores.map(({ right, wanted }) => share(right, wanted)));
  return { precision, recall, f: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}
