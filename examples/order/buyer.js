// The numbers of a buyer, each checked by the capability that knows it.
import { emailValidate } from "coinslot/capabilities/email";
import { phoneNormalize } from "coinslot/capabilities/phone";
import { validateIban, validateIdentifier, validateTaxId } from "coinslot/capabilities/validate";

/** Faults of the buyer's numbers, by field. */
export async function faultsOf({ gln, vatId, country, iban, email, phone }) {
  const asked = {
    gln: validateIdentifier({ kind: "gln", value: gln }),
    vatId: validateTaxId({ country, kind: "vat", value: vatId }),
    iban: validateIban({ value: iban }),
    email: emailValidate({ email }),
    phone: phoneNormalize({ phone, region: country }),
  };
  const faults = {};
  for (const [field, answer] of Object.entries(asked)) {
    const [{ valid, reason }] = (await answer).items;
    if (!valid) faults[field] = reason;
  }
  return faults;
}
