/** The `payment-identifier` extension of a 402: the buyer's own name for a purchase, however often it is signed. */

const PAYMENT_IDENTIFIER = "payment-identifier";

/** The buyer adds an `id` to `info`. Under one id and wallet a request is bought once. */
export const paymentIdentifier = {
  [PAYMENT_IDENTIFIER]: {
    info: { required: false },
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        required: { type: "boolean" },
        id: { type: "string", minLength: 16, maxLength: 128, pattern: "^[a-zA-Z0-9_-]+$" },
      },
      required: ["required"],
    },
  },
};
