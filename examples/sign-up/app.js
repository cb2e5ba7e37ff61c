// A sign-up form: phone, e-mail address, VAT number and IBAN are checked in one call.
import { pathToFileURL } from "node:url";
import { validateBatch } from "coinslot/capabilities/validate";

const MESSAGES = {
  format: "has characters that do not belong there",
  length: "has too many or too few digits",
  checksum: "has a typing error: its check digit does not fit",
  component: "names a country, bank or date that does not exist",
  address: "is not an e-mail address",
};

/** What is wrong with each field, and every right field as it should be stored. */
export async function checkSignUp({ email, phone, vatNumber, iban, country }) {
  const { items } = await validateBatch({
    items: [
      { kind: "email", value: email },
      { kind: "phone", value: phone, region: country },
      { kind: "vat", value: vatNumber, country },
      { kind: "iban", value: iban },
    ],
  });
  const fields = ["email", "phone", "vatNumber", "iban"];
  const right = items.filter(({ valid }) => valid);
  const wrong = items.filter(({ valid }) => !valid);
  return {
    values: Object.fromEntries(right.map(({ index, normalized }) => [fields[index], normalized])),
    errors: Object.fromEntries(wrong.map(({ index, reason }) => [fields[index], MESSAGES[reason] ?? MESSAGES.address])),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const form = {
    phone: "020 7946 0018",
    vatNumber: "GB 980 7806 84",
    iban: "GB29 NWBK 6016 1331 9268 18",
    country: "GB",
  };
  console.log(await checkSignUp({ ...form, email: "jane.doe@example.com" }));
}
