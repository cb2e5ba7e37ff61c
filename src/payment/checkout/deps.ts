import type { AnyCapability } from "../../capability/types.js";
import type { LeaseOwner } from "../../stores/owner.js";
import type { Store } from "../../stores/store.js";
import type { PaymentAccounts } from "../accounts/accounts.js";
import type { Admission } from "../admission/admission.js";
import type { Channels } from "../channels/channels.js";
import type { DurableEvents } from "../events/durable-events.js";
import type { Failures } from "../failures/failures.js";
import type { Ledger } from "../ledger/ledger.js";
import type { Rails } from "../networks/rails.js";
import type { Rail } from "../rails/rail.js";
import type { Credits } from "../refund/credit.js";
import type { CreditCalls } from "../refund/credit-call.js";
import type { Guard } from "../settlement/guard.js";
import type { Receipts } from "../settlement/reconcile.js";
import type { Trials } from "../trial/trial.js";
import type { PaymentPayload } from "../x402/wire.js";
import type { BoughtBefore } from "./bought-before.js";
import type { RequirementsFor } from "./requirements.js";

/** Dependencies of a checkout. */
export interface CheckoutDeps {
  store: Store;
  owner: LeaseOwner;
  /** Absent if the host has no accounts. */
  accounts?: PaymentAccounts | undefined;
  rails: Rails;
  guard: Guard;
  credits: Credits;
  creditCalls: CreditCalls;
  /** Absent if the host has no payment channels. */
  channels: Channels | undefined;
  failures: Failures;
  /** Absent if the host sells to everybody. */
  admission: Admission | undefined;
  /** Absent if the host has no webhooks. */
  durable?: Pick<DurableEvents, "planEvent"> | undefined;
  /** Absent if the host gives no trials. */
  trials: Trials | undefined;
  /** Whether a capability's payment is settled before it runs, on any rail or on this one. */
  settlesFirst(capability: AnyCapability, rail?: Rail): boolean;
  /** Absent if the host keeps no state for wallets. */
  receipts?: Receipts | undefined;
  requirementsFor: RequirementsFor;
  /** Stores who shares what is sold, before it is. */
  ledger: Pick<Ledger, "remember">;
  /** Absent unless wallets get again what they bought. */
  boughtBefore?: BoughtBefore | undefined;
  /** Absent unless settlements are attributed. Throws PaymentRefused for another service's code. */
  builderCodes?: ((payment: PaymentPayload) => Record<string, unknown>) | undefined;
  /** How long a stream waits for vouchers, in all. */
  voucherWaitMs: number;
  /** A secret that all instances on the store share; undefined while the store does not answer. */
  secret(): Promise<string | undefined>;
  now(): number;
}
