// Generated: npx vitest run test/generated.test.ts -u

/** A setting for providers, and the capabilities that use it. */
export interface ProviderKey {
  name: string;
  required: boolean;
  /** Its effect. */
  what?: string;
  keyUrl?: string;
  free?: boolean;
  capabilities: string[];
}

// biome-ignore format: one line each
export const KEYS: readonly ProviderKey[] = [
  {"name":"AI_GATEWAY_API_KEY","required":true,"keyUrl":"https://vercel.com/docs/ai-gateway","free":false,"capabilities":["agent.knowledge-delta","ai.chat","ai.classify","ai.council","ai.describe-image","ai.entities","ai.extract","ai.image","ai.moderate","ai.ocr","ai.pii","ai.research","ai.sentiment","ai.summarize","ai.translate","ai.web-answer"]},
  {"name":"CENSUS_API_KEY","required":true,"keyUrl":"https://api.census.gov/data/key_signup.html","free":true,"capabilities":["census.demographics","census.zipcode"]},
  {"name":"COMPANIES_HOUSE_API_KEY","required":true,"keyUrl":"https://developer.company-information.service.gov.uk/manage-applications","free":true,"capabilities":["business.uk-companies"]},
  {"name":"FINNHUB_API_KEY","required":true,"keyUrl":"https://finnhub.io/register","free":true,"capabilities":["calendar.earnings","calendar.ipo","country.financials"]},
  {"name":"NASS_API_KEY","required":true,"keyUrl":"https://quickstats.nass.usda.gov/api","free":true,"capabilities":["agriculture.stats"]},
  {"name":"TAVILY_API_KEY","required":true,"keyUrl":"https://app.tavily.com","free":true,"capabilities":["ai.web-answer"]},
  {"name":"ACS5_LATEST_YEAR","what":"the survey's newest year, once there is a newer one than is known here","required":false,"capabilities":["census.demographics","census.zipcode"]},
  {"name":"AIRCRAFT_DATA_URL","what":"a mirror of the source's file","required":false,"capabilities":["aircraft.lookup","aircraft.profile"]},
  {"name":"AIRCRAFT_SOURCE","what":"`opensky-csv`, `opensky-api` or `adsbdb` instead of the FAA register","required":false,"capabilities":["aircraft.lookup","aircraft.profile"]},
  {"name":"AI_GATEWAY_BASE_URL","what":"another OpenAI-compatible base, such as `https://openrouter.ai/api/v1`","required":false,"capabilities":["agent.knowledge-delta","ai.chat","ai.classify","ai.council","ai.describe-image","ai.entities","ai.extract","ai.image","ai.moderate","ai.ocr","ai.pii","ai.research","ai.sentiment","ai.summarize","ai.translate","ai.web-answer"]},
  {"name":"AI_MARKUP","what":"what models cost is sold at this factor, at least 1; 1.2 without it","required":false,"capabilities":["agent.knowledge-delta","ai.chat","ai.classify","ai.council","ai.describe-image","ai.entities","ai.extract","ai.image","ai.moderate","ai.ocr","ai.pii","ai.research","ai.sentiment","ai.summarize","ai.translate","ai.web-answer"]},
  {"name":"AI_MODEL_FAST","what":"the model for short answers; `google/gemini-3.1-flash-lite`","required":false,"capabilities":["agent.knowledge-delta","ai.chat","ai.classify","ai.council","ai.describe-image","ai.entities","ai.extract","ai.image","ai.moderate","ai.ocr","ai.pii","ai.research","ai.sentiment","ai.summarize","ai.translate","ai.web-answer"]},
  {"name":"AI_MODEL_STRONG","what":"the model for reading and writing; `anthropic/claude-haiku-4.5`","required":false,"capabilities":["agent.knowledge-delta","ai.chat","ai.classify","ai.council","ai.describe-image","ai.entities","ai.extract","ai.image","ai.moderate","ai.ocr","ai.pii","ai.research","ai.sentiment","ai.summarize","ai.translate","ai.web-answer"]},
  {"name":"AI_MODEL_VISION","what":"the model for pictures; `google/gemini-3.7-flash`","required":false,"capabilities":["agent.knowledge-delta","ai.chat","ai.classify","ai.council","ai.describe-image","ai.entities","ai.extract","ai.image","ai.moderate","ai.ocr","ai.pii","ai.research","ai.sentiment","ai.summarize","ai.translate","ai.web-answer"]},
  {"name":"BLOCKSCOUT_API_KEY","required":false,"what":"higher limits","keyUrl":"https://dev.blockscout.com","free":true,"capabilities":["crypto.address-history","crypto.contract"]},
  {"name":"BLS_API_KEY","required":false,"what":"higher limits","keyUrl":"https://data.bls.gov/registrationEngine/","free":true,"capabilities":["bls.series"]},
  {"name":"BROWSER_WS_ENDPOINT","what":"a browser on this machine that runs already, instead; docs/deploying.md tells how to confine it","required":false,"capabilities":["ai.screenshot"]},
  {"name":"CHROMIUM_ARGS","what":"more switches for it; `--no-sandbox` where it runs as root or in a container without user namespaces","required":false,"capabilities":["ai.screenshot"]},
  {"name":"CHROMIUM_PATH","what":"the Chromium or Chrome that draws pages, where it is not found by itself","required":false,"capabilities":["ai.screenshot"]},
  {"name":"COINGECKO_API_KEY","required":false,"what":"higher limits","keyUrl":"https://www.coingecko.com/en/developers/dashboard","free":true,"capabilities":["crypto.coin","crypto.coin-history","crypto.dex-networks","crypto.dex-ohlcv","crypto.dex-pools","crypto.dex-search","crypto.dex-token-pools","crypto.global"]},
  {"name":"COUNTRY_RISK_SOURCE","what":"`finnhub`, which is the default, or `damodaran`, which needs no key and whose terms are wider","required":false,"capabilities":["country.financials"]},
  {"name":"COURTLISTENER_API_TOKEN","required":false,"what":"higher limits","keyUrl":"https://www.courtlistener.com/help/api/rest/","free":true,"capabilities":["agent.knowledge-delta"]},
  {"name":"ETHERSCAN_API_KEY","required":false,"what":"higher limits","keyUrl":"https://etherscan.io/apidashboard","free":true,"capabilities":["crypto.address-history","crypto.contract"]},
  {"name":"FDIC_API_KEY","required":false,"what":"higher limits","capabilities":["bank.lookup"]},
  {"name":"GITHUB_TOKEN","required":false,"what":"higher limits","keyUrl":"https://github.com/settings/tokens","free":true,"capabilities":["code.repo-lookup"]},
  {"name":"GOPLUS_APP_KEY","what":"a key of GoPlus, for larger allowances, together with `GOPLUS_APP_SECRET`","required":false,"keyUrl":"https://gopluslabs.io","free":true,"capabilities":["crypto.address-safety"]},
  {"name":"GOPLUS_APP_SECRET","what":"what belongs to `GOPLUS_APP_KEY`","required":false,"keyUrl":"https://gopluslabs.io","free":true,"capabilities":["crypto.address-safety"]},
  {"name":"NASDAQ_FALLBACK","what":"`off`: while Finnhub is down, Nasdaq does not stand in","required":false,"capabilities":["calendar.earnings","calendar.ipo"]},
  {"name":"OPENLIBRARY_CONTACT","what":"an e-mail address that tells Open Library who asks","required":false,"capabilities":["book.search"]},
  {"name":"PUPPETEER_EXECUTABLE_PATH","what":"the same, by the name that Puppeteer knows","required":false,"capabilities":["ai.screenshot"]},
  {"name":"RPC_URL_ARBITRUM","what":"the JSON-RPC address of a node of Arbitrum, a second one after a comma; public nodes without it","required":false,"capabilities":["crypto.address-history","crypto.address-safety","crypto.balances","crypto.contract","crypto.ens-resolve","crypto.gas-oracle"]},
  {"name":"RPC_URL_AVALANCHE","what":"the JSON-RPC address of a node of Avalanche, a second one after a comma; public nodes without it","required":false,"capabilities":["crypto.address-history","crypto.address-safety","crypto.balances","crypto.contract","crypto.ens-resolve","crypto.gas-oracle"]},
  {"name":"RPC_URL_BASE","what":"the JSON-RPC address of a node of Base, a second one after a comma; public nodes without it","required":false,"capabilities":["crypto.address-history","crypto.address-safety","crypto.balances","crypto.contract","crypto.ens-resolve","crypto.gas-oracle"]},
  {"name":"RPC_URL_BSC","what":"the JSON-RPC address of a node of BNB Smart Chain, a second one after a comma; public nodes without it","required":false,"capabilities":["crypto.address-history","crypto.address-safety","crypto.balances","crypto.contract","crypto.ens-resolve","crypto.gas-oracle"]},
  {"name":"RPC_URL_ETHEREUM","what":"the JSON-RPC address of a node of Ethereum, a second one after a comma; public nodes without it","required":false,"capabilities":["crypto.address-history","crypto.address-safety","crypto.balances","crypto.contract","crypto.ens-resolve","crypto.gas-oracle"]},
  {"name":"RPC_URL_OPTIMISM","what":"the JSON-RPC address of a node of Optimism, a second one after a comma; public nodes without it","required":false,"capabilities":["crypto.address-history","crypto.address-safety","crypto.balances","crypto.contract","crypto.ens-resolve","crypto.gas-oracle"]},
  {"name":"RPC_URL_POLYGON","what":"the JSON-RPC address of a node of Polygon, a second one after a comma; public nodes without it","required":false,"capabilities":["crypto.address-history","crypto.address-safety","crypto.balances","crypto.contract","crypto.ens-resolve","crypto.gas-oracle"]},
  {"name":"SAM_API_KEY","required":false,"what":"higher limits","keyUrl":"https://open.gsa.gov/api/exclusions-api/","free":true,"capabilities":["business.kyb-360"]},
  {"name":"SEC_USER_AGENT","required":false,"what":"higher limits","keyUrl":"https://www.sec.gov/about/webmaster-frequently-asked-questions#developers","free":true,"capabilities":["business.entity-match","business.id-resolve","business.kyb-360"]},
  {"name":"SOCRATA_APP_TOKEN","required":false,"what":"higher limits","keyUrl":"https://support.socrata.com/hc/en-us/articles/210138558","free":true,"capabilities":["business.entity-profile","business.entity-screen","business.kyb-360","business.sos-search"]},
  {"name":"TAVILY_CREDIT_USD","what":"what one search credit costs the host; 0.008 without it","required":false,"capabilities":["ai.web-answer"]},
];
