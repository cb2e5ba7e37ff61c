/** Lives through worlds of accounts, in a thread of its own. */
import { liveOnDemand } from "../on-demand.js";
import { Prepaid } from "./world.js";

// Loading them takes real time, for which no world waits.
await Promise.all([
  import("../../../src/payment/accounts/admin.js"),
  import("../../../src/payment/accounts/book.js"),
  import("../../../src/payment/accounts/keys.js"),
  import("../../../src/payment/accounts/ledger-entries.js"),
  import("../../../src/payment/checkout/account-grant.js"),
]);

liveOnDemand((seed) => new Prepaid(seed));
