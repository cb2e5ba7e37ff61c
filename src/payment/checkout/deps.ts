import type { AnyCapability } from "../../capability/types.js";
import type { Channels } from "../channels/channels.js";
import type { Failures } from "../failures/failures.js";
import type { Rails } from "../rails/rails.js";
import type { Credits } from "../refund/credit.js";
import type { CreditCalls } from "../refund/credit-call.js";
import type { Guard } from "../settlement/guard.js";
import type { Receipts } from "../settlement/reconcile.js";
import type { Trials } from "../trial/trial.js";
import type { RequirementsFor } from "./requirements.js";

/** What a checkout works with. */
export interface CheckoutDeps {
  rails: Rails;
  guard: Guard;
  credits: Credits;
  creditCalls: CreditCalls;
  /** Absent where the host takes no payment channels. */
  channels: Channels | undefined;
  failures: Failures;
  /** Absent where the host gives none. */
  trials: Trials | undefined;
  /** Whether the host wants a capability's payment before it runs. */
  settlesFirst(capability: AnyCapability): boolean;
  /** Absent where the host keeps no state for wallets. */
  receipts?: Receipts | undefined;
  requirementsFor: RequirementsFor;
  /** Of all instances on the store; undefined while it gives no answer. */
  secret(): Promise<string | undefined>;
  now(): number;
}
