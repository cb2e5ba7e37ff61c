/** A call of an owner's endpoint: who asks, what for, and that nothing is paid for it. */
import type { AnyCapability } from "../../capability/types.js";
import { toCapabilityError } from "../../errors.js";
import { assertOpen } from "../../gate/gate.js";
import type { Grant, Order } from "../../payment/order/order.js";
import { quotedBy } from "../../request/authorized.js";
import type { Call } from "../../request/call.js";
import type { PlainResponse } from "../../request/http/exchange.js";
import { readInput } from "../../request/input.js";
import { type Owner, ownerOf, unnamed } from "../../request/owner.js";
import { assertSignable } from "../../request/signature.js";

/** The order with its grant, or the 401. Rejects as any call does. */
export async function askedBy(
  call: Call,
  capability: AnyCapability,
): Promise<{ order: Order; grant: Grant } | PlainResponse> {
  await assertOpen(call.host, capability);
  const owner = await ownerOf(call).catch((thrown: unknown) => {
    const error = toCapabilityError(thrown);
    if (error.code !== "SIGN_IN_REQUIRED") throw thrown;
    return unnamed(call, error);
  });
  if ("status" in owner) return owner;
  const sent = await readInput(call, capability, false);
  assertSignable(call);
  const order = await quotedBy(call, capability, sent ?? {})();
  await admit(call, order, owner);
  const nothing = async () => undefined;
  return { order, grant: { caller: "free", wallet: owner.wallet, settle: nothing, release: nothing } };
}

/** The host's policy is asked as about any call of the same caller. */
async function admit({ host }: Call, order: Order, { account, signer }: Owner): Promise<void> {
  const { admission } = host.payments;
  // guard: policy: asked about the owner of an account | gone | accounts/own-account
  await (signer
    ? admission?.admit(order, { via: "sign-in", ...signer })
    : admission?.admit(order, { via: "account", account }));
}
