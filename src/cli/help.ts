/** Text of --help: examples first. */
import type { CommandName } from "./commands.js";

export const OVERVIEW = `coinslot: 204 endpoints, called here or bought per call with x402

  coinslot search "qr code for wifi"                        find what does a task
  coinslot describe barcode.generate                        its input, price and an example
  coinslot call convert.unit value=150 from=lb to=kg        run it here, free
  coinslot call convert.unit value=150 from=lb to=kg \\
    --url https://api.example.com --trial                   ask a service, its free trial first
  coinslot serve --free                                     run such a service

Commands
  list       everything there is, by group
  search     the capabilities for a task told in your own words
  describe   one capability
  call       call one, in this process or at a service
  serve      sell all of them over HTTP
  sandbox    sell them for play money, with a chain and a buyer of its own
  mcp        give them to a model that starts its servers itself (stdio)
  init       a new project that sells some of them
  add        install what a feature needs: ai, screenshots, solana …
  completion a script for bash, zsh or fish
  doctor     what is set, what is missing, and whether the facilitator answers

coinslot <command> --help tells more. Exit codes: 0 done, 1 the call failed, 2 used wrongly.`;

const HELP: Record<CommandName, string> = {
  sandbox: `coinslot sandbox [--port n]

  npm install --save-dev @foundry-rs/anvil@1.7 @x402/core@2 @x402/evm@2 viem@2
  coinslot sandbox

Everything is sold for play money on a chain of its own, in memory. It prints the key of a buyer with 100 test USDC. For
tests, coinslot/testing gives the same: testShop({ capabilities }).`,

  list: `coinslot list [--group name] [--json]

  coinslot list --group crypto
  coinslot list --json | jq -r '.endpoints[].id'`,

  search: `coinslot search <words> [--limit n] [--json]

  coinslot search public holidays in Germany
  coinslot search "is this bitcoin address valid" --limit 3`,

  describe: `coinslot describe <id> [--json]

  coinslot describe convert.unit
  coinslot describe ai.chat --json        its JSON Schema, as models read it`,

  call: `coinslot call <id> name=value ... [options]

  coinslot call convert.unit value=150 from=lb to=kg
  coinslot call calendar.holidays country=DE year=2026 --json | jq '.items[].date'
  coinslot call barcode.generate data.type=url data.url=https://example.com --out code.svg
  coinslot call batch.run --input '{"calls":[{"endpoint":"convert.unit","params":{"value":1,"from":"kg","to":"lb"}}]}'
  echo '{"value":1,"from":"kg","to":"lb"}' | coinslot call convert.unit --input -
  WALLET_KEY=0x... coinslot call convert.unit value=150 from=lb to=kg --url https://api.example.com

A dot reaches into an object, a name given twice makes a list, and what begins with [ or { is JSON.

  -i, --input json   the input as JSON; - reads it from standard input, @file from a file
  -o, --out file     where the result goes, as JSON or as its own file; - is standard output
      --json         the result as JSON
      --url origin   asks this service instead of running it here
      --trial        takes the service's free trial where it is due
      --max-usd n    the most that the call may cost; default 0.10
      --key name     buys the call once under this name, however often it is tried

Settings: WALLET_KEY, the private key of an EVM wallet with USDC, or SOLANA_KEY, a Solana one in base58; COINSLOT_API_KEY, a key
of an account at the service. Without any, calls at a service are free or a trial. CREDIT, what an earlier call said is left there. Keys of providers: coinslot doctor.`,

  serve: `coinslot serve [--port n] [--host h] [--free]

  TREASURY_EVM=0x... FACILITATOR_URL=https://facilitator.example coinslot serve
  coinslot serve --free --port 3000       no payments: for yourself, or behind your own login

Settings
  TREASURY_EVM      who is paid in USDC on Base; EVM_NETWORK names another chain, as eip155:84532
  TREASURY_SVM      who is paid in USDC on Solana; SVM_NETWORK names another cluster
  FACILITATOR_URL   who checks payments and puts them on chain
  FACILITATOR_HEADERS   what it wants to see, as JSON: '{"authorization":"Bearer …"}'
  REDIS_URL         shared state, for several processes; needs the package ioredis
  DATABASE_URL      the same in Postgres; needs the package pg
  BRAND_NAME, BRAND_SLUG, BASE_URL   as whom, and where`,

  mcp: `coinslot mcp [--tools groups]

  coinslot mcp                            search, describe and call: the whole catalogue
  coinslot mcp --tools convert,calendar   these groups as tools of their own

For a client that starts its servers itself: {"command": "npx", "args": ["-y", "coinslot", "mcp"]}`,

  init: `coinslot init [folder] [--framework f] [--store s] [--network n]

  coinslot init my-shop
  coinslot init my-shop --framework express --store postgres --network base

Asks what is not given. Frameworks: hono, express, fastify, node, lambda. Stores: memory, postgres, redis. Networks: base-sepolia
(for trying), base, solana.`,

  add: `coinslot add <feature> ... [--dry-run]

  coinslot add ai screenshots
  coinslot add wallets --dry-run          prints the command only

Installs the packages of features with the project's own manager: npm, pnpm, yarn or bun, by its lock file. A feature is a group
of endpoints, such as ai, or a part that needs packages, such as mcp or redis; a wrong name prints all of them.`,

  completion: `coinslot completion <bash, zsh or fish>

  eval "$(coinslot completion bash)"      in ~/.bashrc; the same with zsh in ~/.zshrc
  coinslot completion fish > ~/.config/fish/completions/coinslot.fish`,

  doctor: `coinslot doctor [--json]
coinslot doctor --live [--only <groups or ids>] [--keys] [--max-usd n] [--report file] [--record folder] [--json]

  coinslot doctor --live --only aviation,bank.lookup     has what they read changed?
  coinslot doctor --live --keys --max-usd 0.10           ask also what costs money or an allowance
  coinslot doctor --live --report drift.json             what is needed to mend it, without values and keys

Looks at the keys of providers, optional packages, treasuries, the store and the facilitator, and prints the line that installs
every package that is missing. Exit code 1 when something that is set does not work; what is not set is only told.

With --live every upstream is asked once, at most twice, through the readers of this package, at its own pace and without caches.
Exit codes then: 0 as before, 1 something is to be mended (empty, stale, shape, parser), 2 used wrongly, 3 something could not be
asked (auth, quota, blocked, outage). Without --keys nothing is asked that needs one.`,
};

export const helpOf = (command: CommandName): string => HELP[command];
