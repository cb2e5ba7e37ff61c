import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { checkSignUp } from "../examples/sign-up/app.js";
import { pathFromRoot } from "./support/render-indexes.js";

const form = {
  email: "Jane.Doe@EXAMPLE.com",
  phone: "020 7946 0018",
  vatNumber: "GB 980 7806 84",
  iban: "GB29 NWBK 6016 1331 9268 19",
  country: "GB",
};

it("sign-up stores right fields in their normal form", async () => {
  expect(await checkSignUp(form)).toEqual({
    values: {
      email: "Jane.Doe@example.com",
      phone: "+442079460018",
      vatNumber: "980780684",
      iban: "GB29NWBK60161331926819",
    },
    errors: {},
  });
});

it("sign-up tells what is wrong with each field", async () => {
  const wrong = { ...form, email: "jane@@example.com", phone: "020 7946 0018 99999", vatNumber: "GB 980 7806 85" };
  expect(await checkSignUp(wrong)).toEqual({
    values: { iban: "GB29NWBK60161331926819" },
    errors: {
      email: "is not an e-mail address",
      phone: "has too many or too few digits",
      vatNumber: "has a typing error: its check digit does not fit",
    },
  });
});

it("sign-up/app.js prints what it found", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [pathFromRoot("examples/sign-up/app.js")]);
  expect(stdout).toContain("+442079460018");
  expect(stdout).toContain("has a typing error");
});
