import { expect, test } from "vitest";
import { securityCvss } from "../../../src/capabilities/security/cvss.js";

const score = async (vector: string) => (await securityCvss({ vector })).items[0];

test("scores a vector, and says what its metrics mean", async () => {
  await expect(score("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:F")).resolves.toMatchObject({
    version: "3.1",
    scores: { base: 9.8, temporal: 9.6, environmental: 9.6, overall: 9.6, threat: null },
    severity: "critical",
    metrics: [{ id: "AV", name: "Attack Vector", value: "N", words: "Network" }, ...Array(8).fill({})],
    missing: [],
  });
});

// Numbers of RedHatProductSecurity/cvss 2f14909, tests/vectors_*.
test.each([
  ["AV:A/AC:M/Au:S/C:N/I:N/A:P", [2.3, null, null]],
  ["AV:A/AC:M/Au:N/C:C/I:N/A:P/E:POC/RL:W/RC:UC", [6.4, 4.9, null]],
  ["AV:N/AC:L/Au:S/C:C/I:C/A:C/E:F/RL:U/RC:C", [9, 8.6, null]],
  ["AV:L/AC:M/Au:S/C:N/I:P/A:C/E:U/RL:OF/RC:UR/CDP:N/TD:L/CR:H/IR:H/AR:H", [5, 3.5, 1.2]],
  ["AV:N/AC:M/Au:M/C:C/I:N/A:P/RL:W/RC:UC/CDP:LM/TD:M/CR:L/IR:L/AR:L", [6.4, 5.5, 4]],
  ["AV:L/AC:H/Au:M/C:N/I:N/A:N", [0, null, null]],
  ["CVSS:3.0/S:U/AV:N/AC:L/PR:H/UI:N/C:L/I:L/A:N/E:F/RL:X", [3.8, 3.7, 3.7]],
  ["CVSS:3.0/AV:L/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N/MAV:A/MAC:L/MPR:N/MUI:N/MS:U/MC:L/MI:N/MA:N", [4.6, 4.6, 4.3]],
  [
    "CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:N/E:H/RL:O/RC:C/CR:H/IR:H/AR:H/MAV:N/MAC:L/MPR:L/MUI:N/MS:C/MC:H/MI:H/MA:H",
    [9.3, 8.9, 9.5],
  ],
  ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:L", [10, 10, 10]],
])("%s", async (vector, [base, temporal, environmental]) => {
  await expect(score(vector)).resolves.toMatchObject({ scores: { base, temporal, environmental } });
});

test.each([
  ["CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:H/VA:L/SC:N/SI:H/SA:L", 9.2, null],
  ["CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:P", 5.9, 5.9],
  ["CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/S:N/AU:N/R:A/V:D/RE:L/U:Clear", 7.3, null],
])("%s", async (vector, overall, threat) => {
  await expect(score(vector)).resolves.toMatchObject({ version: "4.0", scores: { overall, threat } });
});

test("the base score of version 4 leaves the threat out", async () => {
  const vector = "CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:U";
  await expect(score(vector)).resolves.toMatchObject({ scores: { base: 7.3, threat: 4.1, overall: 4.1 } });
});

test("without all base metrics there is no score, and the answer lists them", async () => {
  await expect(score("CVSS:3.1/AV:N/AC:L")).resolves.toMatchObject({
    scores: { base: null, overall: null },
    severity: null,
    missing: ["PR", "UI", "S", "C", "I", "A"],
  });
});

test.each([
  "garbage",
  "CVSS:9.0/AV:N",
  "CVSS:3.1/AV:N/AV:N",
  "CVSS:3.1/AV:Q",
  "CVSS:3.1/AV:X",
  "CVSS:3.1/XX:N",
  "CVSS:3.1/constructor:N",
  `CVSS:3.1/${"AV:N/".repeat(60)}`,
])("refuses %s", async (vector) => {
  await expect(score(vector)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "vector" }] });
});
