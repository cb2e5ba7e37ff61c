// Generated: npx vitest run test/generated.test.ts -u

export { cryptoAddressValidate } from "./address-validate.js";
export { cryptoBtcAddress } from "./btc-address.js";
export { cryptoBtcFees } from "./btc-fees.js";
export { cryptoBtcMempool } from "./btc-mempool.js";
export { cryptoBtcTx } from "./btc-tx.js";
export { cryptoBtcUtxos } from "./btc-utxos.js";
export { cryptoCexKlines } from "./cex-klines.js";
export { cryptoCexTicker } from "./cex-ticker.js";
export { cryptoChainTvlHistory } from "./chain-tvl-history.js";
export { cryptoCoin } from "./coin.js";
export { cryptoCoinHistory } from "./coin-history.js";
export { cryptoDefi } from "./defi.js";
export { cryptoDefiChains } from "./defi-chains.js";
export { cryptoDefiFees } from "./defi-fees.js";
export { cryptoDefiProtocolHistory } from "./defi-protocol-history.js";
export { cryptoDefiYields } from "./defi-yields.js";
export { cryptoDexNetworks } from "./dex-networks.js";
export { cryptoDexOhlcv } from "./dex-ohlcv.js";
export { cryptoDexPools } from "./dex-pools.js";
export { cryptoDexSearch } from "./dex-search.js";
export { cryptoDexTokenPools } from "./dex-token-pools.js";
export { cryptoFearGreed } from "./fear-greed.js";
export { cryptoGlobal } from "./global.js";
export { cryptoKimchiPremium } from "./kimchi-premium.js";
export { cryptoPerpvenueFunding } from "./perpvenue-funding.js";
export { cryptoPerpvenuePredictedFunding } from "./perpvenue-predicted-funding.js";
