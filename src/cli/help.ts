/** Text of --help: examples first. */
import type { CommandName } from "./commands.js";

export const OVERVIEW = `coinslot: 204 endpoints, called here or bought per call with x402

  coinslot search "qr code for wifi"                        find an endpoint for a task
  coinslot describe barcode.generate                        its input, price and an example
  coinslot call convert.unit value=150 from=lb to=kg        run it here, free
  coinslot call convert.unit value=150 from=lb to=kg \\
    --url https://api.example.com --trial                   ask a service, its free trial first
  coinslot serve --free                                     run such a service

Commands
  list       all endpoints, by group
  search     the endpoints for a task, described in your own words
  describe   the input, price and example of one endpoint
  call       call an endpoint, in this process or at a service
  serve      sell all endpoints over HTTP
  config     check the configuration file of serve
  proxy      sell another HTTP API, by a file of routes and prices
  sandbox    sell all endpoints for play money, on a local chain with a test buyer
  mcp        serve all endpoints to an MCP client that starts its own servers (stdio)
  init       create a project that sells some endpoints
  add        install the packages of a feature: ai, screenshots, solana …
  completion print a completion script for bash, zsh or fish
  doctor     check keys, packages, the store and the facilitator

coinslot <command> --help tells more. Exit codes: 0 success, 1 the call failed, 2 wrong usage.`;

const HELP: Record<CommandName, string> = {
  proxy: `coinslot proxy <file> [--port n] [--host h] [--free]

  TREASURY_EVM=0x... FACILITATOR_URL=https://facilitator.example coinslot proxy gateway.yaml
  coinslot proxy gateway.yaml --free      without payments: to see that it works
  coinslot doctor --config gateway.yaml   asks whether the origins can be reached
  coinslot sandbox --config gateway.yaml  for play money, with a test buyer

gateway.yaml:

  origin: https://api.example.com/v1
  group: weather
  credentials: { header: authorization, value: "Bearer \${WEATHER_KEY}" }
  openapi: ./openapi.json                 optional: its operations, with their inputs
  price: "0.002"                          for each of them; a route may have another
  routes:
    - { method: GET, path: "/cities/{city}/forecast", price: "0.005" }
  host: { trial: false }                  options of the host

The settings are those of coinslot serve. docs/gateway.md has all of the file. YAML requires the package yaml.`,

  sandbox: `coinslot sandbox [--port n] [--config gateway.yaml]

  npm install --save-dev @foundry-rs/anvil@1.7 @x402/core@2 @x402/evm@2 viem@2
  coinslot sandbox

All endpoints, or those of a gateway's file, are sold for play money on a local chain in memory. It prints the key of a buyer with 100 test USDC. For
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

A dot reaches into an object, a name given twice makes a list, and a value that begins with [ or { is JSON.

  -i, --input json   the input as JSON; - reads it from standard input, @file from a file
  -o, --out file     writes the result there, as JSON or in its own format; - is standard output
      --json         the result as JSON
      --url origin   calls this service instead of running the endpoint here
      --trial        uses the service's free trial, if one is left
      --max-usd n    the most that the call may cost; default 0.10
      --max-usd-per-day n    the most that is signed in a day of UTC, for all services (COINSLOT_MAX_USD_PER_DAY)
      --ask-above-usd n      asks you about a call that costs more (COINSLOT_ASK_ABOVE_USD)
      --accept-seller        takes another receiver, network or token than at the first purchase there
      --key name     buys the call once under this name, however often it is tried

Settings: WALLET_KEY, the private key of an EVM wallet with USDC, or SOLANA_KEY, a Solana one in base58; COINSLOT_API_KEY, a key
of an account at the service. Without any, only free calls and trials of a service work. CREDIT, the credit that an earlier call
printed. What was spent today, and whom each service wanted paid at first, is kept in ~/.local/state/coinslot/spending.json, or at
COINSLOT_SPENDING. Keys of providers: coinslot doctor.`,

  config: `coinslot config check [coinslot.yaml]
coinslot config schema

  coinslot config check                   judges coinslot.yaml as serve would, and asks nobody
  coinslot config schema > schema.json    the JSON Schema by which editors help to write it

docs/configuration.md has all of the file.`,

  serve: `coinslot serve [--config coinslot.yaml] [--port n] [--host h] [--free]

  TREASURY_EVM=0x... FACILITATOR_URL=https://facilitator.example coinslot serve
  coinslot serve --config coinslot.yaml   everything by a file, whose prices and stops may change: docs/configuration.md
  coinslot serve --free --port 3000       without payments: for yourself, or behind your own login

Settings
  TREASURY_EVM      the address that receives USDC on Base; EVM_NETWORK names another chain, as eip155:84532
  TREASURY_SVM      the address that receives USDC on Solana; SVM_NETWORK names another cluster
  FACILITATOR_URL   the service that verifies payments and settles them on chain
  FACILITATOR_HEADERS   the headers that it requires, as JSON: '{"authorization":"Bearer …"}'
  REDIS_URL         shared state for several processes in Redis; requires the package ioredis
  DATABASE_URL      the same in Postgres; requires the package pg
  BRAND_NAME, BRAND_SLUG, BASE_URL   the name, short name and address of the service`,

  mcp: `coinslot mcp [--tools groups]

  coinslot mcp                            search, describe and call: the whole catalogue
  coinslot mcp --tools convert,calendar   these groups as tools of their own

For a client that starts its servers itself: {"command": "npx", "args": ["-y", "coinslot", "mcp"]}`,

  init: `coinslot init [folder] [--framework f] [--store s] [--network n]
coinslot init [folder] --template resale

  coinslot init my-shop
  coinslot init my-shop --framework express --store postgres --network base
  coinslot init my-data --template resale   a service by coinslot.yaml, with Dockerfile and compose: own brand, prices and treasury

Asks for the options that are not given. Frameworks: hono, express, fastify, node, lambda. Stores: memory, postgres, redis. Networks: base-sepolia
(for trying), base, solana.`,

  add: `coinslot add <feature> ... [--dry-run]

  coinslot add ai screenshots
  coinslot add wallets --dry-run          prints the command only

Installs the packages of features with the project's own manager: npm, pnpm, yarn or bun, by its lock file. A feature is a group
of endpoints, such as ai, or a part that requires packages, such as mcp or redis; an unknown name prints all of them.`,

  completion: `coinslot completion <bash, zsh or fish>

  eval "$(coinslot completion bash)"      in ~/.bashrc; the same with zsh in ~/.zshrc
  coinslot completion fish > ~/.config/fish/completions/coinslot.fish`,

  doctor: `coinslot doctor [--json] [--config gateway.yaml]
coinslot doctor --live [--only <groups or ids>] [--keys] [--max-usd n] [--report file] [--record folder] [--json]

  coinslot doctor --live --only aviation,bank.lookup     check whether their upstreams changed
  coinslot doctor --live --keys --max-usd 0.10           also ask upstreams that cost money or an allowance
  coinslot doctor --live --report drift.json             write the facts for a repair, without values and keys

Looks at the keys of providers, optional packages, treasuries, the store and the facilitator, and prints the line that installs
every package that is missing. Exit code 1 if a setting does not work; missing settings are only listed.

With --live every upstream is asked once, at most twice, through the readers of this package, at its own pace and without caches.
Exit codes then: 0 unchanged, 1 something needs a repair (empty, stale, shape, parser), 2 wrong usage, 3 an upstream could not be
asked (auth, quota, blocked, outage). Without --keys no upstream is asked that requires a key.`,
};

export const helpOf = (command: CommandName): string => HELP[command];
