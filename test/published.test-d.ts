/** Options and types of the main entry: what a host may write, what it gets, and what is not published. */
import { expectTypeOf, test } from "vitest";
import type { Context as WholeContext, Facts as WholeFacts } from "../src/capability/types.js";
import type * as coinslot from "../src/index.js";

type Options = coinslot.HandlerOptions;
type Handle = coinslot.Handler;
type Option<Name extends keyof Options> = NonNullable<Options[Name]>;

test("each option has the type that is exported under its name", () => {
  expectTypeOf<Exclude<Option<"payment">, false>>().toEqualTypeOf<
    coinslot.PaymentOptions | coinslot.EdgePaymentOptions
  >();
  expectTypeOf<Option<"brand">>().toEqualTypeOf<Partial<coinslot.Brand>>();
  expectTypeOf<Option<"pricing">>().toEqualTypeOf<coinslot.PricingOptions>();
  expectTypeOf<Extract<Option<"trial">, object>>().toEqualTypeOf<coinslot.TrialOptions>();
  expectTypeOf<Option<"accounts">>().toEqualTypeOf<coinslot.AccountsOptions>();
  expectTypeOf<Extract<Option<"wallets">, object>>().toEqualTypeOf<coinslot.WalletOptions>();
  expectTypeOf<Extract<Option<"mcp">, object>>().toEqualTypeOf<coinslot.McpOptions>();
  expectTypeOf<Option<"signing">>().toEqualTypeOf<coinslot.SigningOptions>();
  expectTypeOf<Option<"store">>().toEqualTypeOf<coinslot.Store>();
  expectTypeOf<Option<"webhooks">>().toEqualTypeOf<readonly coinslot.HostWebhook[]>();
  expectTypeOf<Option<"live">>().toEqualTypeOf<coinslot.LiveOptions>();
  expectTypeOf<Option<"logger">>().toEqualTypeOf<coinslot.Logger>();
  expectTypeOf<Option<"outbound">>().toEqualTypeOf<coinslot.OutboundOptions>();
  expectTypeOf<Extract<Option<"cache">, object>>().toEqualTypeOf<coinslot.Cache>();
  expectTypeOf<Option<"fetch">>().toEqualTypeOf<typeof globalThis.fetch>();
  expectTypeOf<Option<"clock">>().toEqualTypeOf<() => Date>();
});

test("options without a type of their own are words and numbers", () => {
  expectTypeOf<Option<"basePath" | "dataDir">>().toBeString();
  expectTypeOf<
    Option<"instances" | "ledgerDays" | "maxBodyBytes" | "maxResponseBytes" | "maxStreamsPerPayer">
  >().toBeNumber();
  expectTypeOf<Option<"docs" | "cors" | "openaiAlias">>().toEqualTypeOf<false>();
  expectTypeOf<Extract<Option<"countCalls">, boolean>>().toBeBoolean();
  expectTypeOf<Option<"budgets">[string]["usdPerDay"]>().toBeString();
  expectTypeOf<Option<"secrets">>().toEqualTypeOf<Record<string, string | undefined>>();
});

test("callbacks are told of events by their kind", () => {
  expectTypeOf<Option<"onCall">>().parameters.toEqualTypeOf<[coinslot.CallEvent]>();
  expectTypeOf<Option<"onDrift">>().parameters.toEqualTypeOf<[coinslot.DriftEvent]>();
  expectTypeOf<coinslot.SpentEvent>().toExtend<coinslot.CallEvent>();
  expectTypeOf<coinslot.EndedCallEvent | coinslot.LossEvent | coinslot.RefundedEvent>().toExtend<coinslot.CallEvent>();
  expectTypeOf<coinslot.ChannelEvent | coinslot.OverdueRefundEvent>().toExtend<coinslot.CallEvent>();
});

test("a handle's members resolve to exported types", () => {
  expectTypeOf<Handle["openapi"]>().returns.toEqualTypeOf<coinslot.OpenApiDocument>();
  expectTypeOf<Handle["ledger"]>().parameter(0).toEqualTypeOf<coinslot.LedgerQuery | undefined>();
  expectTypeOf<Handle["ledger"]>().returns.resolves.toEqualTypeOf<coinslot.LedgerReport>();
  expectTypeOf<Handle["earnings"]>().parameter(1).toEqualTypeOf<coinslot.EarningsOptions | undefined>();
  expectTypeOf<Handle["earnings"]>().returns.resolves.toEqualTypeOf<Response>();
  expectTypeOf<Handle["accounts"]>().toEqualTypeOf<coinslot.HostAccounts>();
  expectTypeOf<Handle["tick"]>().parameter(0).toEqualTypeOf<{ budgetMs?: number } | undefined>();
  expectTypeOf<Handle["tick" | "reconcile"]>().returns.resolves.toBeNumber();
  expectTypeOf<Handle["stop" | "resume" | "setPrice" | "configure" | "warmUp" | "close"]>().returns.resolves.toBeVoid();
});

test("a capability's code gets a part of the context, and none of what ours alone reads", () => {
  expectTypeOf<WholeContext>().toExtend<coinslot.Context>();
  expectTypeOf<coinslot.Context["meter"]>().toEqualTypeOf<coinslot.Meter>();
  expectTypeOf<coinslot.Context["resources"]>().toEqualTypeOf<coinslot.Resources>();
  type Inside = "reads" | "sold" | "transaction" | "injectedFetch" | "injectedClock" | "hops" | "slug" | "onKeys";
  expectTypeOf<Extract<keyof coinslot.Context, Inside>>().toBeNever();
  type Run = coinslot.Definition<never, unknown, unknown>["run"];
  expectTypeOf<Run>().parameter(1).toEqualTypeOf<coinslot.Context>();
  expectTypeOf<coinslot.DynamicPrice<string>["quote"]>().parameters.toEqualTypeOf<[string, coinslot.Context]>();
});

test("facts are those that a catalogue shows, and no steps of a call", () => {
  expectTypeOf<WholeFacts>().toExtend<coinslot.Facts>();
  expectTypeOf<coinslot.AnyCapability>().toExtend<coinslot.Facts>();
  expectTypeOf<coinslot.Facts["id" | "summary" | "path"]>().toBeString();
  type Steps = "parse" | "quote" | "prepare" | "execute" | "executeStream" | "invoke" | "walletUse" | "pixels";
  expectTypeOf<Extract<keyof coinslot.Facts, Steps>>().toBeNever();
});

test("calls, results and stores", () => {
  expectTypeOf<coinslot.CallOptions["signal"]>().toEqualTypeOf<AbortSignal | undefined>();
  expectTypeOf<coinslot.BinaryResult["contentType"]>().toBeString();
  expectTypeOf<coinslot.CallMeta["costUsd"]>().toBeString();
  expectTypeOf<coinslot.Issue>().toEqualTypeOf<{ path: string; message: string }>();
  expectTypeOf<coinslot.BatchFailure["index"]>().toBeNumber();
  expectTypeOf<typeof coinslot.createMemoryStore>().returns.toExtend<coinslot.Store>();
  expectTypeOf<typeof coinslot.createMemoryStore>()
    .parameter(0)
    .toEqualTypeOf<coinslot.MemoryStoreOptions | undefined>();
  expectTypeOf<coinslot.Store["get"]>().returns.resolves.toEqualTypeOf<coinslot.StoredRecord | undefined>();
  expectTypeOf<coinslot.Store["put"]>().parameter(2).toEqualTypeOf<coinslot.PutOptions>();
  expectTypeOf<coinslot.Store["list"]>().returns.resolves.toEqualTypeOf<coinslot.ListedRecord[]>();
  expectTypeOf<coinslot.LedgerRow>().toExtend<coinslot.LedgerSums>();
  expectTypeOf<coinslot.PolicyAnswer["allow"]>().toBeBoolean();
  expectTypeOf<coinslot.PolicyRequest["priceUsd"]>().toBeString();
  expectTypeOf<coinslot.StatementQuery["from"]>().toBeString();
  type Paid = coinslot.PaymentOptions["treasury"][string];
  expectTypeOf<Paid>().toEqualTypeOf<string | readonly coinslot.TreasuryShare[] | undefined>();
  expectTypeOf<coinslot.Handler["payouts"]>().toEqualTypeOf<coinslot.HostPayouts>();
  expectTypeOf<coinslot.HostPayouts["list"]>().returns.resolves.toEqualTypeOf<coinslot.ReceiverShare[]>();
  expectTypeOf<coinslot.HostPayouts["pay"]>().parameter(0).toEqualTypeOf<coinslot.PayOptions | undefined>();
  expectTypeOf<coinslot.Payout["state"]>().toEqualTypeOf<"paid" | "pending" | "held">();
  expectTypeOf<coinslot.AgentsOptions["directories"]>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<coinslot.SignInOptions["again"]>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<coinslot.Statement["lines"]>().toEqualTypeOf<coinslot.StatementLine[]>();
});
