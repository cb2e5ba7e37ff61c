// In-process: capabilities are async functions. No server, no payment, no framework.
import { pathToFileURL } from "node:url";
import { CapabilityError } from "coinslot";
import { calendarBusinessDays } from "coinslot/capabilities/calendar";
import { convertUnit } from "coinslot/capabilities/convert";

/** What a parcel weighs in pounds, and the day that it arrives on. */
export async function describeParcel({ kilograms, shippedOn, workingDays, country }) {
  // Inputs are validated and results typed; calls that do not wait for each other run side by side.
  const [weight, arrival] = await Promise.all([
    convertUnit({ value: kilograms, from: "kg", to: "lb" }),
    calendarBusinessDays({ start: shippedOn, addDays: workingDays, country }),
  ]);
  return { pounds: weight.items[0].result, arrivesOn: arrival.items[0].resultDate };
}

/** Every failure is a CapabilityError: a code for programs, a message for people. */
export async function tryToConvert(value, from, to) {
  try {
    const { items } = await convertUnit({ value, from, to });
    return items[0].result;
  } catch (error) {
    if (CapabilityError.is(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(await describeParcel({ kilograms: 2.5, shippedOn: "2026-12-23", workingDays: 3, country: "DE" }));
  console.log(await tryToConvert(1, "kg", "km"));
  console.log(
    `One call costs ${convertUnit.price.usd} USD where it is sold: ${convertUnit.method} ${convertUnit.path}`,
  );
}
