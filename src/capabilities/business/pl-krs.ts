import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { unavailableIn } from "../../capability/facts.js";
import { identifier } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { readKrs } from "../../engines/identifiers/krs.js";
import { CapabilityError } from "../../errors.js";
import { findExtract, type KrsExtract } from "../../providers/krs/extract.js";
import { krs as krsRegister } from "../../providers/krs/provider.js";

const OTHER_REGISTER = { P: "S", S: "P" } as const;

const label = () => z.string().nullable();
const activity = () => z.object({ code: label().describe("PKD, such as 93.13.Z"), description: label() });

export const businessPlKrs = /* @__PURE__ */ defineCapability({
  id: "business.pl-krs",
  summary: "An entity of Poland's National Court Register by its KRS number: identifiers, address, capital, bodies.",
  keywords: ["poland", "krs", "nip", "regon", "company registry", "court register", "kyb", "foundation"],
  price: "0.00144",
  provider: krsRegister,
  input: () =>
    z.strictObject({
      krs: identifier(readKrs, "a KRS number of ten digits, such as 0000030897", [10, 10]).describe("KRS number"),
      register: z
        .enum(["P", "S"])
        .default("P")
        .describe("P for entrepreneurs, S for associations, foundations and public health units"),
    }),
  output: one(() =>
    z.object({
      krs: z.string(),
      register: z.enum(["P", "S"]),
      name: z.string(),
      legalForm: label(),
      nip: label().describe("Tax number, ten digits"),
      regon: label().describe("Statistical number, nine digits"),
      registeredDate: label(),
      lastEntryDate: label(),
      lastEntryNumber: z.number().nullable(),
      asOf: label(),
      court: label(),
      address: z.object({
        street: label(),
        houseNumber: label(),
        flatNumber: label(),
        postalCode: label(),
        city: label(),
        province: label(),
        county: label(),
        municipality: label(),
        country: label(),
      }),
      email: label(),
      website: label(),
      shareCapital: z.object({ amount: z.number().nullable(), currency: label() }).nullable(),
      shareCount: z.number().nullable(),
      mainActivity: activity().nullable(),
      otherActivities: z.array(activity()),
      representation: z
        .object({
          body: label(),
          rule: label(),
          members: z.array(
            z.object({
              name: label().describe("Masked by the register where it is a person's"),
              function: label(),
              suspended: z.boolean().nullable(),
            }),
          ),
        })
        .nullable(),
      supervisoryBodies: z.array(z.object({ name: label(), memberCount: z.number() })),
      shareholders: z.array(
        z.object({
          name: label(),
          type: z.enum(["company", "person"]),
          krs: label(),
          regon: label(),
          holding: label(),
        }),
      ),
      publicBenefit: z.boolean().nullable(),
      previousRegister: z
        .object({ name: label(), number: label(), authority: label().describe("The court or ministry that kept it") })
        .nullable(),
      inLiquidation: z.array(z.string()).describe("Headings of the part on liquidation, bankruptcy and mergers"),
      url: z.string(),
    }),
  ),
  example: { krs: "0000030897", register: "S" },
  async run({ krs, register }, ctx) {
    const extract = await findExtract(krs, register, ctx);
    if (!extract)
      throw new CapabilityError(
        "NOT_FOUND",
        `Register ${register} has no entity of this number; it may be in register ${OTHER_REGISTER[register]}.`,
      );
    const item = { krs, register, ...toItem(extract) };
    const isCompany = /SPÓŁKA (?:Z OGRANICZONĄ|AKCYJNA)|PROSTA SPÓŁKA/i.test(item.legalForm ?? "");
    const meta = unavailableIn([item], {
      identifiers: ["nip", "regon"],
      address: Object.keys(item.address).map((piece) => `address.${piece}`),
      ...(isCompany ? { capital: ["shareCapital"] } : {}),
      bodies: ["representation", "inLiquidation"],
    });
    return { item, meta };
  },
});

function toItem({ naglowekA, dane }: KrsExtract) {
  const { danePodmiotu, siedzibaIAdres, kapital, wspolnicySpzoo } = dane.dzial1;
  const { siedziba, adres } = siedzibaIAdres;
  const { regon, nip } = danePodmiotu.identyfikatory;
  const capital = kapital.wysokoscKapitaluZakladowego;
  return {
    name: danePodmiotu.nazwa,
    legalForm: danePodmiotu.formaPrawna,
    nip: nip?.replaceAll("-", "") ?? null,
    // Fourteen digits name a local unit, which is 00000 for the entity itself.
    regon: regon?.replace(/^(\d{9})00000$/, "$1") ?? null,
    registeredDate: naglowekA.dataRejestracjiWKRS,
    lastEntryDate: naglowekA.dataOstatniegoWpisu,
    lastEntryNumber: naglowekA.numerOstatniegoWpisu,
    asOf: naglowekA.stanZDnia,
    court: naglowekA.oznaczenieSaduDokonujacegoOstatniegoWpisu,
    address: {
      street: adres.ulica,
      houseNumber: adres.nrDomu,
      flatNumber: adres.nrLokalu,
      postalCode: adres.kodPocztowy,
      city: siedziba.miejscowosc,
      province: siedziba.wojewodztwo,
      county: siedziba.powiat,
      municipality: siedziba.gmina,
      country: adres.kraj,
    },
    email: siedzibaIAdres.adresPocztyElektronicznej,
    website: siedzibaIAdres.adresStronyInternetowej,
    shareCapital: capital && { amount: capital.wartosc, currency: capital.waluta },
    shareCount: kapital.lacznaLiczbaAkcjiUdzialow,
    ...activitiesOf(dane.dzial3),
    ...bodiesOf(dane.dzial2),
    shareholders: wspolnicySpzoo.map((shareholder) => ({
      name: shareholder.nazwa ?? personName(shareholder),
      type: shareholder.nazwa ? ("company" as const) : ("person" as const),
      krs: shareholder.krs.krs,
      regon: shareholder.identyfikator.regon?.replace(/^(\d{9})00000$/, "$1") ?? null,
      holding: shareholder.posiadaneUdzialy,
    })),
    publicBenefit: danePodmiotu.czyPosiadaStatusOPP,
    previousRegister: previousRegisterOf(danePodmiotu),
    inLiquidation: dane.dzial6,
    url: "https://wyszukiwarka-krs.ms.gov.pl/",
  };
}

type Activity = KrsExtract["dane"]["dzial3"]["przedmiotDzialalnosciOPP"]["odplatnyPkd"][number];

type Entity = KrsExtract["dane"]["dzial1"]["danePodmiotu"];

/** Associations of the Church were kept by a ministry, under no number. */
function previousRegisterOf({ daneOWczesniejszejRejestracji: previous }: Entity) {
  const [name, number] = [previous.nazwaPoprzedniegoRejestru, previous.numerWPoprzednimRejestrze];
  const authority = previous.sadProwadzacyRejestr;
  return (name ?? number ?? authority) === null ? null : { name, number, authority };
}

function activitiesOf({ przedmiotDzialalnosci, przedmiotDzialalnosciOPP }: KrsExtract["dane"]["dzial3"]) {
  const [main, ...more] = przedmiotDzialalnosci.przedmiotPrzewazajacejDzialalnosci.map(toActivity);
  const { odplatnyPkd, nieodplatnyPkd } = przedmiotDzialalnosciOPP;
  const others = [...przedmiotDzialalnosci.przedmiotPozostalejDzialalnosci, ...odplatnyPkd, ...nieodplatnyPkd];
  return { mainActivity: main ?? null, otherActivities: [...more, ...others.map(toActivity)] };
}

const toActivity = ({ opis, kodDzial, kodKlasa, kodPodklasa }: Activity) => ({
  code: [kodDzial, kodKlasa, kodPodklasa].filter(Boolean).join(".") || null,
  description: opis,
});

function bodiesOf({ reprezentacja, organNadzoru }: KrsExtract["dane"]["dzial2"]) {
  return {
    representation: reprezentacja && {
      body: reprezentacja.nazwaOrganu,
      rule: reprezentacja.sposobReprezentacji,
      members: reprezentacja.sklad.map((member) => ({
        name: member.nazwa ?? personName(member),
        function: member.funkcjaWOrganie,
        suspended: member.czyZawieszona,
      })),
    },
    supervisoryBodies: organNadzoru.map(({ nazwa, sklad }) => ({ name: nazwa, memberCount: sklad.length })),
  };
}

type Person = Pick<KrsExtract["dane"]["dzial1"]["wspolnicySpzoo"][number], "nazwisko" | "imiona">;

const personName = ({ nazwisko, imiona }: Person): string | null =>
  [imiona.imie, imiona.imieDrugie, nazwisko.nazwiskoICzlon].filter(Boolean).join(" ") || null;
