import { expect, test } from "vitest";
import { createSearch } from "../../src/documents/search.js";
import { serviceOf } from "../support/service.js";

// What somebody types who wants a thing, in their own words, and what must come first.
const TASKS = [
  ["convert kilos to pounds", "convert.unit"],
  ["how many cups in a gallon", "convert.unit"],
  ["fahrenheit to celsius", "convert.unit"],
  ["150 lb in kg", "convert.unit"],
  ["miles to km", "convert.unit"],
  ["acres to hectares", "convert.unit"],
  ["is this a valid bitcoin address", "crypto.address-validate"],
  ["check ethereum wallet address checksum", "crypto.address-validate"],
  ["validate solana address", "crypto.address-validate"],
  ["verify litecoin adress", "crypto.address-validate"],
  ["next business day in germany", "calendar.business-days"],
  ["add 10 working days to a date", "calendar.business-days"],
  ["count workdays between two dates", "calendar.business-days"],
  ["is tomorrow a working day", "calendar.business-days"],
  ["public holidays in france 2026", "calendar.holidays"],
  ["bank holidays uk", "calendar.holidays"],
  ["when is easter monday", "calendar.holidays"],
  ["national days off", "calendar.holidays"],
  ["traditional chinese", "chinese.convert"],
  ["simplified to traditional", "chinese.convert"],
  ["convert hong kong characters to mainland", "chinese.convert"],
  ["taiwan chinese conversion", "chinese.convert"],
  ["is this text simplified or traditional", "chinese.detect"],
  ["detect chinese script", "chinese.detect"],
  ["pinyin with tones", "chinese.pinyin"],
  ["how to pronounce mandarin", "chinese.pinyin"],
  ["romanize chinese text", "chinese.pinyin"],
  ["several calls in one payment", "batch.run"],
  ["run many endpoints at once", "batch.run"],
  ["bulk requests", "batch.run"],
] as const;

const search = createSearch(serviceOf());

test.each(TASKS)("%s: %s", async (task, id) => {
  const { results } = await search(task);
  expect(results.map((result) => result.id)[0]).toBe(id);
});
