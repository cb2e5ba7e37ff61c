/** The file of the command line's limits: exact over processes, and whom sellers want paid. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { fileBook, spendingFile } from "../../src/cli/spending.js";
import { pathFromRoot } from "../support/render-indexes.js";

const newFile = async () => join(await mkdtemp(join(tmpdir(), "spending-")), "deep", "spending.json");

it("BUY-5 changes of several processes follow one another, and none is lost", async () => {
  const file = await newFile();
  const script = `
    import { fileBook } from ${JSON.stringify(pathFromRoot("src/cli/spending.ts"))};
    const book = fileBook(${JSON.stringify(file)});
    for (let i = 0; i < 15; i++)
      await book.change((record) => { record.sums.all = String(Number(record.sums.all ?? 0) + 1); });
    process.disconnect();
  `;
  const path = join(await mkdtemp(join(tmpdir(), "spending-")), "writer.mjs");
  await build({
    ...{ stdin: { contents: script, resolveDir: pathFromRoot(".") }, outfile: path },
    ...{ bundle: true, format: "esm", platform: "node", logLevel: "error" },
  });
  const writers = [1, 2, 3].map(() => fork(path));
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0]));
  expect(codes).toEqual([0, 0, 0]);
  expect(JSON.parse(await readFile(file, "utf8")).sums).toEqual({ all: "45" });
}, 60_000);

it("BUY-5 takes over the lock of a process that died, and refuses a file that it cannot read", async () => {
  const file = await newFile();
  const book = fileBook(file);
  await book.change((record) => {
    record.sums.all = "5";
  });
  await expect(
    book.change(() => {
      throw new Error("refused");
    }),
  ).rejects.toThrow("refused");
  expect(await book.change(({ sums }) => sums.all)).toBe("5");
  await writeFile(file, "{");
  await expect(book.change(() => 1)).rejects.toThrow("cannot be read");
});

it("is in the user's folder of states, or where the setting says", () => {
  expect(spendingFile({ HOME: "/home/ada" })).toBe("/home/ada/.local/state/coinslot/spending.json");
  expect(spendingFile({ HOME: "/home/ada", XDG_STATE_HOME: "/state" })).toBe("/state/coinslot/spending.json");
  expect(spendingFile({ COINSLOT_SPENDING: "/x.json" })).toBe("/x.json");
  expect(spendingFile({})).toBeUndefined();
});
