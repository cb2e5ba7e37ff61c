import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDate } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { DAY_COUNTS } from "../../engines/finance/day-count.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const amount = () => z.number().min(-1e15).max(1e15);
const rate = () => z.number().gt(-1).max(1e6);
const nullable = () => z.number().nullable();

const inputSchema = () =>
  z.strictObject({
    flows: z
      .array(
        z.union([
          amount().describe("Received, or negative for paid"),
          z.strictObject({
            date: isoDate().describe("Day of the flow"),
            amount: amount().describe("Received, or negative for paid"),
          }),
        ]),
      )
      .min(1)
      .max(10_000)
      .describe(
        "1 to 10,000 flows, money paid out negative: numbers at equal periods from now, or { date, amount } in any order",
      ),
    rate: rate().optional().describe("Rate for npv or xnpv as a fraction: 0.08 is 8 % a period, of dated flows a year"),
    financeRate: rate().optional().describe("Rate at which outflows are financed, for mirr"),
    reinvestRate: rate().optional().describe("Rate that inflows earn until the end, for mirr"),
    basis: z
      .enum(DAY_COUNTS)
      .default("act/365f")
      .describe("How days become years: act/365f as spreadsheets do, act/act of ISDA, or 30/360"),
  });

type Flow = z.output<ReturnType<typeof inputSchema>>["flows"][number];

export const financeIrr = /* @__PURE__ */ defineCapability({
  id: "finance.irr",
  summary: "Compute IRR or XIRR of cash flows with all roots, net present value, modified IRR and payback time.",
  keywords: [
    "internal rate of return",
    "xirr",
    "npv",
    "xnpv",
    "mirr",
    "net present value",
    "discount rate",
    "cash flow",
    "payback period",
    "return on investment",
    "annualized return",
    "day count",
  ],
  price: "0.001",
  method: "POST",
  offline: true,
  source: { provider: "built-in", url: "https://en.wikipedia.org/wiki/Internal_rate_of_return", license: "MIT" },
  input: inputSchema,
  output: one(() =>
    z.object({
      irr: nullable().describe("Rate a period; null for dated flows, and where there is none: see reason"),
      xirr: nullable().describe("Rate a year of dated flows; null for others, and where there is none: see reason"),
      reason: z.string().nullable().describe("Why no rate is given"),
      roots: z
        .array(z.number())
        .describe(
          "All rates above -1 at which the flows are worth zero, ascending. Of several, irr or xirr is the one that a search from 10 % (of losses, from the loss) comes to",
        ),
      rootsComplete: z.boolean().describe("Whether it is proved that there are no others; false only for huge inputs"),
      npv: nullable().describe("Present value at `rate`, the first flow counting whole"),
      xnpv: nullable().describe("The same for dated flows, on the day of the earliest"),
      mirr: nullable().describe("Needs financeRate and reinvestRate, and flows at equal periods"),
      payback: nullable().describe("Periods, or years of dated flows, until the sum reaches zero; null if it does not"),
    }),
  ),
  example: { flows: [-150000, 15000, 25000, 35000, 45000, 60000], rate: 0.05 },
  read({ flows, ...input }) {
    const isDated = typeof flows[0] === "object";
    const odd = flows.findIndex((flow) => (typeof flow === "object") !== isDated);
    if (odd > 0)
      throw invalid(`flows.${odd}`, `must be ${isDated ? "{ date, amount }" : "a number"}, as the first flow is`);
    return { ...input, flows };
  },
  async run({ flows, basis, rate, financeRate, reinvestRate }, ctx) {
    const { timedByDate, timedByPeriod, presentValue, modifiedRate, paybackOf, NO_RATE, calendarDay } = await engine();
    const amounts = flows.filter((flow) => typeof flow === "number");
    const dated = flows.filter((flow): flow is Exclude<Flow, number> => typeof flow === "object");
    const isDated = dated.length > 0;
    const timed = isDated
      ? timedByDate(
          dated.map((flow) => ({ day: calendarDay(flow.date), amount: flow.amount })),
          basis,
        )
      : timedByPeriod(amounts);
    const { runInWorker } = await workers();
    const found = await runInWorker(ctx, "finance.irr", timed, { field: "flows", isSmall: timed.length <= SMALL });
    const worth = rate === undefined ? null : presentValue(timed, rate);
    const hasBoth = financeRate !== undefined && reinvestRate !== undefined;
    return {
      item: {
        irr: isDated ? null : found.rate,
        xirr: isDated ? found.rate : null,
        reason: found.reason && NO_RATE[found.reason],
        roots: found.roots,
        rootsComplete: found.complete,
        npv: isDated ? null : worth,
        xnpv: isDated ? worth : null,
        mirr: hasBoth && !isDated ? modifiedRate(amounts, financeRate, reinvestRate) : null,
        payback: paybackOf(timed),
      },
      meta: method(),
    };
  },
});

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
/** The roots of more flows are found in a thread. */
const SMALL = 200;

const engine = /* @__PURE__ */ lazy(async () => ({
  ...(await import("../../engines/finance/returns.js")),
  ...(await import("../../engines/finance/day-count.js")),
}));
