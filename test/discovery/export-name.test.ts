import { expect, test } from "vitest";
import { exportName } from "../../src/discovery/export-name.js";

test.each([
  ["convert.unit", "convertUnit"],
  ["business.br-cnpj", "businessBrCnpj"],
  ["business.kyb-360", "businessKyb360"],
  ["ai.describe-image", "aiDescribeImage"],
  ["crypto.address-validate", "cryptoAddressValidate"],
])("%s is exported as %s", (id, name) => {
  expect(exportName(id)).toBe(name);
});
