/**
 * Writes the texts and numbers of yaml11.py as YAML through the built package; PyYAML, which reads YAML 1.1, judges them.
 *
 *   node scripts/suites/yaml11.mjs FOLDER
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , folder] = process.argv;
if (!folder) throw new Error("usage: node scripts/suites/yaml11.mjs FOLDER");
const { dataConvert } = await import(new URL("../../dist/capabilities/data/index.js", import.meta.url).href);
const [json, yaml] = [join(folder, "yaml11.json"), join(folder, "yaml11.yaml")];
const script = new URL("yaml11.py", import.meta.url).pathname;
const python = (...words) => spawnSync("/usr/bin/python3", [script, ...words], { stdio: "inherit" });
python("write", json);
const { items } = await dataConvert({ text: readFileSync(json, "utf8"), from: "json", to: "yaml" });
writeFileSync(yaml, items[0].text);
python("judge", json, yaml);
