// Generated: npx vitest run test/generated.test.ts -u

import { addressFormat } from "./address/format.js";
import { agentKnowledgeDelta } from "./agent/knowledge-delta.js";
import { agricultureDrought } from "./agriculture/drought.js";
import { agricultureStats } from "./agriculture/stats.js";
import { aiChat } from "./ai/chat.js";
import { aiClassify } from "./ai/classify.js";
import { aiCouncil } from "./ai/council.js";
import { aiDescribeImage } from "./ai/describe-image.js";
import { aiEntities } from "./ai/entities.js";
import { aiExtract } from "./ai/extract.js";
import { aiImage } from "./ai/image.js";
import { aiModerate } from "./ai/moderate.js";
import { aiOcr } from "./ai/ocr.js";
import { aiPii } from "./ai/pii.js";
import { aiResearch } from "./ai/research.js";
import { aiScreenshot } from "./ai/screenshot.js";
import { aiSentiment } from "./ai/sentiment.js";
import { aiSummarize } from "./ai/summarize.js";
import { aiTranslate } from "./ai/translate.js";
import { aiWebAnswer } from "./ai/web-answer.js";
import { aircraftLookup } from "./aircraft/lookup.js";
import { aircraftProfile } from "./aircraft/profile.js";
import { airportLookup } from "./airport/lookup.js";
import { airportNear } from "./airport/near.js";
import { aviationAccidents } from "./aviation/accidents.js";
import { aviationMetar } from "./aviation/metar.js";
import { aviationSigmet } from "./aviation/sigmet.js";
import { aviationTaf } from "./aviation/taf.js";
import { bankLookup } from "./bank/lookup.js";
import { bankStatement } from "./bank/statement.js";
import { barcodeGenerate } from "./barcode/generate.js";
import { barcodeRead } from "./barcode/read.js";
import { batchRun } from "./batch/run.js";
import { bioGene } from "./bio/gene.js";
import { bioProtein } from "./bio/protein.js";
import { bioSpecies } from "./bio/species.js";
import { blsSeries } from "./bls/series.js";
import { bookSearch } from "./book/search.js";
import { businessBrCnpj } from "./business/br-cnpj.js";
import { businessEntityMatch } from "./business/entity-match.js";
import { businessEntityProfile } from "./business/entity-profile.js";
import { businessEntityScreen } from "./business/entity-screen.js";
import { businessFiCompanies } from "./business/fi-companies.js";
import { businessFrCompanies } from "./business/fr-companies.js";
import { businessIdResolve } from "./business/id-resolve.js";
import { businessKyb360 } from "./business/kyb-360.js";
import { businessLei } from "./business/lei.js";
import { businessLeiHierarchy } from "./business/lei-hierarchy.js";
import { businessLeiIsins } from "./business/lei-isins.js";
import { businessNaics } from "./business/naics.js";
import { businessNoCompanies } from "./business/no-companies.js";
import { businessPlKrs } from "./business/pl-krs.js";
import { businessSosSearch } from "./business/sos-search.js";
import { businessUkCompanies } from "./business/uk-companies.js";
import { calendarBusinessDays } from "./calendar/business-days.js";
import { calendarEarnings } from "./calendar/earnings.js";
import { calendarHolidays } from "./calendar/holidays.js";
import { calendarIcs } from "./calendar/ics.js";
import { calendarIpo } from "./calendar/ipo.js";
import { censusDemographics } from "./census/demographics.js";
import { censusZipcode } from "./census/zipcode.js";
import { chemCompound } from "./chem/compound.js";
import { chineseConvert } from "./chinese/convert.js";
import { chineseDetect } from "./chinese/detect.js";
import { chinesePinyin } from "./chinese/pinyin.js";
import { classIndustryResolve } from "./class/industry-resolve.js";
import { climateStationHistory } from "./climate/station-history.js";
import { climateStationNear } from "./climate/station-near.js";
import { clinicalStudyDetail } from "./clinical/study-detail.js";
import { clinicalTrialSearch } from "./clinical/trial-search.js";
import { codeRepoLookup } from "./code/repo-lookup.js";
import { convertCurrency } from "./convert/currency.js";
import { convertUnit } from "./convert/unit.js";
import { countdownGif } from "./countdown/gif.js";
import { countryFinancials } from "./country/financials.js";
import { countryLookup } from "./country/lookup.js";
import { cryptoAddressHistory } from "./crypto/address-history.js";
import { cryptoAddressSafety } from "./crypto/address-safety.js";
import { cryptoAddressScreen } from "./crypto/address-screen.js";
import { cryptoAddressValidate } from "./crypto/address-validate.js";
import { cryptoBalances } from "./crypto/balances.js";
import { cryptoBtcAddress } from "./crypto/bitcoin/btc-address.js";
import { cryptoBtcFees } from "./crypto/bitcoin/btc-fees.js";
import { cryptoBtcMempool } from "./crypto/bitcoin/btc-mempool.js";
import { cryptoBtcTx } from "./crypto/bitcoin/btc-tx.js";
import { cryptoBtcUtxos } from "./crypto/bitcoin/btc-utxos.js";
import { cryptoContract } from "./crypto/contract.js";
import { cryptoDecodeCalldata } from "./crypto/decode-calldata.js";
import { cryptoChainTvlHistory } from "./crypto/defi/chain-tvl-history.js";
import { cryptoDefi } from "./crypto/defi/defi.js";
import { cryptoDefiChains } from "./crypto/defi/defi-chains.js";
import { cryptoDefiFees } from "./crypto/defi/defi-fees.js";
import { cryptoDefiProtocolHistory } from "./crypto/defi/defi-protocol-history.js";
import { cryptoDefiYields } from "./crypto/defi/defi-yields.js";
import { cryptoDexNetworks } from "./crypto/dex/dex-networks.js";
import { cryptoDexOhlcv } from "./crypto/dex/dex-ohlcv.js";
import { cryptoDexPools } from "./crypto/dex/dex-pools.js";
import { cryptoDexSearch } from "./crypto/dex/dex-search.js";
import { cryptoDexTokenPools } from "./crypto/dex/dex-token-pools.js";
import { cryptoEnsResolve } from "./crypto/ens-resolve.js";
import { cryptoGasOracle } from "./crypto/gas-oracle.js";
import { cryptoCexKlines } from "./crypto/market/cex-klines.js";
import { cryptoCexTicker } from "./crypto/market/cex-ticker.js";
import { cryptoCoin } from "./crypto/market/coin.js";
import { cryptoCoinHistory } from "./crypto/market/coin-history.js";
import { cryptoFearGreed } from "./crypto/market/fear-greed.js";
import { cryptoGlobal } from "./crypto/market/global.js";
import { cryptoKimchiPremium } from "./crypto/market/kimchi-premium.js";
import { cryptoPerpvenueFunding } from "./crypto/market/perpvenue-funding.js";
import { cryptoPerpvenuePredictedFunding } from "./crypto/market/perpvenue-predicted-funding.js";
import { dataConvert } from "./data/convert.js";
import { devCron } from "./dev/cron.js";
import { devJwt } from "./dev/jwt.js";
import { devLicense } from "./dev/license.js";
import { devRegexTest } from "./dev/regex-test.js";
import { devVersion } from "./dev/version.js";
import { docToMarkdown } from "./doc/to-markdown.js";
import { domainEmailSecurity } from "./domain/email-security.js";
import { ediEdifact } from "./edi/edifact.js";
import { ediParse } from "./edi/parse.js";
import { emailSpf } from "./email/spf.js";
import { emailValidate } from "./email/validate.js";
import { financeAmortize } from "./finance/amortize.js";
import { financeIrr } from "./finance/irr.js";
import { financeOption } from "./finance/option.js";
import { geoConvert } from "./geo/convert.js";
import { geoDistance } from "./geo/distance.js";
import { htmlExtract } from "./html/extract.js";
import { htmlToMarkdown } from "./html/to-markdown.js";
import { imageCompare } from "./image/compare.js";
import { invoiceRead } from "./invoice/read.js";
import { invoiceValidate } from "./invoice/validate.js";
import { jsonDiff } from "./json/diff.js";
import { jsonQuery } from "./json/query.js";
import { jsonRepair } from "./json/repair.js";
import { jsonValidate } from "./json/validate.js";
import { lockAcquire } from "./lock/acquire.js";
import { lockRelease } from "./lock/release.js";
import { lockRenew } from "./lock/renew.js";
import { paymentQr } from "./payment/qr.js";
import { pdfText } from "./pdf/text.js";
import { pdfToImage } from "./pdf/to-image.js";
import { pdfToMarkdown } from "./pdf/to-markdown.js";
import { phoneNormalize } from "./phone/normalize.js";
import { productGs1 } from "./product/gs1.js";
import { pubsubCreateTopic } from "./pubsub/create-topic.js";
import { pubsubDeleteTopic } from "./pubsub/delete-topic.js";
import { pubsubDeliveries } from "./pubsub/deliveries.js";
import { pubsubPublish } from "./pubsub/publish.js";
import { pubsubSubscribe } from "./pubsub/subscribe.js";
import { pubsubUnsubscribe } from "./pubsub/unsubscribe.js";
import { queueAck } from "./queue/ack.js";
import { queueDeadLetters } from "./queue/dead-letters.js";
import { queueEnqueue } from "./queue/enqueue.js";
import { queueExtend } from "./queue/extend.js";
import { queueLease } from "./queue/lease.js";
import { queueNack } from "./queue/nack.js";
import { queueRedrive } from "./queue/redrive.js";
import { queueStats } from "./queue/stats.js";
import { scheduleCancel } from "./schedule/cancel.js";
import { scheduleCreate } from "./schedule/create.js";
import { scheduleList } from "./schedule/list.js";
import { scheduleStatus } from "./schedule/status.js";
import { securityCvss } from "./security/cvss.js";
import { storeBlobDelete } from "./store/blob-delete.js";
import { storeBlobGet } from "./store/blob-get.js";
import { storeBlobList } from "./store/blob-list.js";
import { storeBlobPut } from "./store/blob-put.js";
import { storeDocDelete } from "./store/doc-delete.js";
import { storeDocGet } from "./store/doc-get.js";
import { storeDocPatch } from "./store/doc-patch.js";
import { storeDocPut } from "./store/doc-put.js";
import { storeDocQuery } from "./store/doc-query.js";
import { storeDocSearch } from "./store/doc-search.js";
import { storeErase } from "./store/erase.js";
import { storeExport } from "./store/export.js";
import { storeKvDelete } from "./store/kv-delete.js";
import { storeKvGet } from "./store/kv-get.js";
import { storeKvIncrement } from "./store/kv-increment.js";
import { storeKvPut } from "./store/kv-put.js";
import { storeKvScan } from "./store/kv-scan.js";
import { storeUsage } from "./store/usage.js";
import { storeVectorDelete } from "./store/vector-delete.js";
import { storeVectorQuery } from "./store/vector-query.js";
import { storeVectorUpsert } from "./store/vector-upsert.js";
import { textChunk } from "./text/chunk.js";
import { textDiff } from "./text/diff.js";
import { textRedact } from "./text/redact.js";
import { textSimilarity } from "./text/similarity.js";
import { timeConvert } from "./time/convert.js";
import { timeParse } from "./time/parse.js";
import { tldInfo } from "./tld/info.js";
import { urlFeed } from "./url/feed.js";
import { urlRobots } from "./url/robots.js";
import { validateBatch } from "./validate/batch.js";
import { validateIban } from "./validate/iban.js";
import { validateIdentifier } from "./validate/identifier.js";
import { validateTaxId } from "./validate/tax-id.js";
import { watchersArm } from "./watchers/arm.js";
import { watchersCancel } from "./watchers/cancel.js";
import { watchersList } from "./watchers/list.js";
import { watchersStatus } from "./watchers/status.js";
import { webhooksRedeliver } from "./webhooks/redeliver.js";
import { webhooksRotate } from "./webhooks/rotate.js";

/** Every capability of this package. Importing it loads no heavy dependency. */
// biome-ignore format: one line each keeps additions to one line
export const capabilities = [
  addressFormat,
  agentKnowledgeDelta,
  agricultureDrought,
  agricultureStats,
  aiChat,
  aiClassify,
  aiCouncil,
  aiDescribeImage,
  aiEntities,
  aiExtract,
  aiImage,
  aiModerate,
  aiOcr,
  aiPii,
  aiResearch,
  aiScreenshot,
  aiSentiment,
  aiSummarize,
  aiTranslate,
  aiWebAnswer,
  aircraftLookup,
  aircraftProfile,
  airportLookup,
  airportNear,
  aviationAccidents,
  aviationMetar,
  aviationSigmet,
  aviationTaf,
  bankLookup,
  bankStatement,
  barcodeGenerate,
  barcodeRead,
  batchRun,
  bioGene,
  bioProtein,
  bioSpecies,
  blsSeries,
  bookSearch,
  businessBrCnpj,
  businessEntityMatch,
  businessEntityProfile,
  businessEntityScreen,
  businessFiCompanies,
  businessFrCompanies,
  businessIdResolve,
  businessKyb360,
  businessLei,
  businessLeiHierarchy,
  businessLeiIsins,
  businessNaics,
  businessNoCompanies,
  businessPlKrs,
  businessSosSearch,
  businessUkCompanies,
  calendarBusinessDays,
  calendarEarnings,
  calendarHolidays,
  calendarIcs,
  calendarIpo,
  censusDemographics,
  censusZipcode,
  chemCompound,
  chineseConvert,
  chineseDetect,
  chinesePinyin,
  classIndustryResolve,
  climateStationHistory,
  climateStationNear,
  clinicalStudyDetail,
  clinicalTrialSearch,
  codeRepoLookup,
  convertCurrency,
  convertUnit,
  countdownGif,
  countryFinancials,
  countryLookup,
  cryptoAddressHistory,
  cryptoAddressSafety,
  cryptoAddressScreen,
  cryptoAddressValidate,
  cryptoBalances,
  cryptoBtcAddress,
  cryptoBtcFees,
  cryptoBtcMempool,
  cryptoBtcTx,
  cryptoBtcUtxos,
  cryptoCexKlines,
  cryptoCexTicker,
  cryptoChainTvlHistory,
  cryptoCoin,
  cryptoCoinHistory,
  cryptoContract,
  cryptoDecodeCalldata,
  cryptoDefi,
  cryptoDefiChains,
  cryptoDefiFees,
  cryptoDefiProtocolHistory,
  cryptoDefiYields,
  cryptoDexNetworks,
  cryptoDexOhlcv,
  cryptoDexPools,
  cryptoDexSearch,
  cryptoDexTokenPools,
  cryptoEnsResolve,
  cryptoFearGreed,
  cryptoGasOracle,
  cryptoGlobal,
  cryptoKimchiPremium,
  cryptoPerpvenueFunding,
  cryptoPerpvenuePredictedFunding,
  dataConvert,
  devCron,
  devJwt,
  devLicense,
  devRegexTest,
  devVersion,
  docToMarkdown,
  domainEmailSecurity,
  ediEdifact,
  ediParse,
  emailSpf,
  emailValidate,
  financeAmortize,
  financeIrr,
  financeOption,
  geoConvert,
  geoDistance,
  htmlExtract,
  htmlToMarkdown,
  imageCompare,
  invoiceRead,
  invoiceValidate,
  jsonDiff,
  jsonQuery,
  jsonRepair,
  jsonValidate,
  lockAcquire,
  lockRelease,
  lockRenew,
  paymentQr,
  pdfText,
  pdfToImage,
  pdfToMarkdown,
  phoneNormalize,
  productGs1,
  pubsubCreateTopic,
  pubsubDeleteTopic,
  pubsubDeliveries,
  pubsubPublish,
  pubsubSubscribe,
  pubsubUnsubscribe,
  queueAck,
  queueDeadLetters,
  queueEnqueue,
  queueExtend,
  queueLease,
  queueNack,
  queueRedrive,
  queueStats,
  scheduleCancel,
  scheduleCreate,
  scheduleList,
  scheduleStatus,
  securityCvss,
  storeBlobDelete,
  storeBlobGet,
  storeBlobList,
  storeBlobPut,
  storeDocDelete,
  storeDocGet,
  storeDocPatch,
  storeDocPut,
  storeDocQuery,
  storeDocSearch,
  storeErase,
  storeExport,
  storeKvDelete,
  storeKvGet,
  storeKvIncrement,
  storeKvPut,
  storeKvScan,
  storeUsage,
  storeVectorDelete,
  storeVectorQuery,
  storeVectorUpsert,
  textChunk,
  textDiff,
  textRedact,
  textSimilarity,
  timeConvert,
  timeParse,
  tldInfo,
  urlFeed,
  urlRobots,
  validateBatch,
  validateIban,
  validateIdentifier,
  validateTaxId,
  watchersArm,
  watchersCancel,
  watchersList,
  watchersStatus,
  webhooksRedeliver,
  webhooksRotate,
];
