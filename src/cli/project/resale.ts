/** The project of a service by a file: own brand, own treasury, own prices, and what deploys it. */
import { readFile } from "node:fs/promises";
import { packageFile } from "../package-files.js";

const README = `# A paid API by a file

\`\`\`sh
npm install
cp env.example .env                     # your address and facilitator stand there
npm run check                           # judges coinslot.yaml as the service would
docker compose up --build               # with Postgres, on http://127.0.0.1:8402/api/docs
\`\`\`

\`coinslot.yaml\` has the brand, the endpoints, the prices and who is paid. Prices, stops and lists of payers change with it while the
service runs. \`npm start\` runs it without docker, where \`DATABASE_URL\` names a Postgres.
`;

/** By their names. Rejects if the package lacks them. */
export async function resaleFiles(name: string, version: string): Promise<Record<string, string>> {
  const read = (file: string) => readFile(packageFile(`deploy/docker/${file}`), "utf8");
  const env = await read("env.example");
  return {
    "package.json": `${JSON.stringify(packageOf(name, version), null, 2)}\n`,
    "coinslot.yaml": await read("coinslot.yaml"),
    Dockerfile: await read("Dockerfile"),
    "compose.yaml": await read("compose.yaml"),
    "env.example": env,
    ".dockerignore": "*\n!package.json\n!package-lock.json\n!coinslot.yaml\n",
    ".gitignore": "node_modules\n.env\n*.key\n",
    "README.md": README,
  };
}

const packageOf = (name: string, version: string) => ({
  ...{ name, version: "0.1.0", private: true, type: "module" },
  scripts: {
    start: "node --env-file=.env node_modules/coinslot/dist/cli/index.js serve --config coinslot.yaml",
    check: "node --env-file=.env node_modules/coinslot/dist/cli/index.js config check coinslot.yaml",
  },
  dependencies: { coinslot: `^${version}`, pg: "^8", yaml: "^2" },
});
