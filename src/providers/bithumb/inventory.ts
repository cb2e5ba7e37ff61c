// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/v1/ticker","objects":"[]\tmarket! s|trade_price! n|acc_trade_price_24h! n|timestamp! n\ttrade_date|trade_time|trade_date_kst|trade_time_kst|trade_timestamp|opening_price|high_price|low_price|prev_closing_price|change|change_price|change_rate|signed_change_price|signed_change_rate|trade_volume|acc_trade_price|acc_trade_volume|acc_trade_volume_24h|highest_52_week_price|highest_52_week_date|lowest_52_week_price|lowest_52_week_date|delisting_date|market_state|market_warning|is_trading_suspended"},
];
