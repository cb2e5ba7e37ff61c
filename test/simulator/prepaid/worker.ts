/** Lives through worlds of accounts, in a thread of its own. */
import { liveOnDemand } from "../on-demand.js";
import { Customers } from "./customers/world.js";
import { Prepaid } from "./world.js";

// Loading them takes real time, for which no world waits.
await Promise.all([
  import("../../../src/payment/accounts/admin.js"),
  import("../../../src/payment/accounts/book.js"),
  import("../../../src/payment/accounts/keys.js"),
  import("../../../src/payment/accounts/ledger-entries.js"),
  import("../../../src/payment/checkout/account-grant.js"),
]);

// Of every two worlds one is of wallets that buy balances.
liveOnDemand((seed) => (seed % 2 === 0 ? new Customers(seed) : new Prepaid(seed)));
