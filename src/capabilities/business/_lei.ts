/** Shared by the LEI capabilities: the input field, and the few facts of a related entity. */
import { z } from "zod";
import { identifier } from "../../capability/fields.js";
import { readIsin } from "../../engines/identifiers/isin.js";
import { readLei } from "../../engines/identifiers/lei.js";
import { CapabilityError } from "../../errors.js";
import type { LeiRecord } from "../../providers/gleif/record.js";

export const lei = () =>
  identifier(
    readLei,
    "a Legal Entity Identifier: 20 letters and digits, of which the last two check the others",
    [20, 20],
  );

export const isin = () =>
  identifier(
    readIsin,
    "an ISIN: two letters, nine letters or digits, and a check digit, such as US0378331005",
    [12, 12],
  );

const label = () => z.string().nullable();

export const entityBriefSchema = () =>
  z.object({
    lei: z.string(),
    legalName: z.string(),
    country: label().describe("Of the legal address, ISO 3166-1"),
    jurisdiction: label().describe("ISO 3166-1 or 3166-2"),
    status: label().describe("ACTIVE or INACTIVE"),
  });

export const toEntityBrief = ({ lei, entity }: LeiRecord) => ({
  lei,
  legalName: entity.legalName.name,
  country: entity.legalAddress?.country ?? null,
  jurisdiction: entity.jurisdiction,
  status: entity.status,
});

export const unknownLei = (): CapabilityError => new CapabilityError("NOT_FOUND", "GLEIF has no record of this LEI.");
