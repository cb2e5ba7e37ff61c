import type { KnownKeys } from "../../support/render-inventories.js";

const UNIT =
  "organisasjonsnummer navn organisasjonsform hjemmeside epostadresse telefon mobil telefaks postadresse forretningsadresse registreringsdatoEnhetsregisteret registrertIMvaregisteret frivilligMvaRegistrertBeskrivelser registreringsdatoMerverdiavgiftsregisteret registreringsdatoMerverdiavgiftsregisteretEnhetsregisteret registreringsdatoFrivilligMerverdiavgiftsregisteret registreringsdatoAntallAnsatteEnhetsregisteret registreringsdatoAntallAnsatteNAVAaregisteret registreringsdatoForetaksregisteret registreringsdatoFrivillighetsregisteret registreringsdatoPartiregisteret registreringsdatoStiftelsesregisteret naeringskode1 naeringskode2 naeringskode3 hjelpeenhetskode harRegistrertAntallAnsatte antallAnsatte overordnetEnhet stiftelsesdato institusjonellSektorkode registrertIForetaksregisteret registrertIStiftelsesregisteret registrertIFrivillighetsregisteret registrertIPartiregisteret konkurs konkursdato underAvvikling underAvviklingDato underTvangsavviklingEllerTvangsopplosning underUtenlandskInsolvensbehandlingDato tvangsavvikletPgaManglendeSlettingDato tvangsopplostPgaManglendeDagligLederDato tvangsopplostPgaManglendeRevisorDato tvangsopplostPgaManglendeRegnskapDato tvangsopplostPgaMangelfulltStyreDato maalform vedtektsdato vedtektsfestetFormaal aktivitet sisteInnsendteAarsregnskap slettedato nedleggelsesdato kapital erIKonsern historiskeNavn paategninger fravalgRevisjonDato fravalgRevisjonBeslutningsDato utenlandskRegisterNavn utenlandskRegisterAdresse registreringsnummerIHjemlandet underUtenlandskInsolvensbehandling respons_klasse _links";
const ADDRESS = "land landkode postnummer poststed adresse kommune kommunenummer";
const parts = (below: string) => ({
  [`${below}organisasjonsform`]: "kode beskrivelse utgaatt _links",
  [`${below}forretningsadresse`]: ADDRESS,
  [`${below}postadresse`]: ADDRESS,
  [`${below}naeringskode1`]: "kode beskrivelse hjelpeenhetskode",
  [`${below}naeringskode2`]: "kode beskrivelse hjelpeenhetskode",
  [`${below}naeringskode3`]: "kode beskrivelse hjelpeenhetskode",
  [`${below}institusjonellSektorkode`]: "kode beskrivelse",
  [`${below}kapital`]: "belop antallAksjer type bundet valuta sakbelop innfortDato fulltInnbetalt",
});
/** A unit says what applies to it: one person has no capital, an association no employees, an old one no day of founding. */
const RARE = [
  ...["hjemmeside", "telefon", "mobil", "epostadresse", "antallAnsatte", "postadresse", "historiskeNavn", "kapital"],
  ...["institusjonellSektorkode", "naeringskode1", "naeringskode2", "naeringskode3", "konkurs", "slettedato"],
  ...["registrertIFrivillighetsregisteret", "sisteInnsendteAarsregnskap", "stiftelsesdato", "forretningsadresse"],
  ...["registrertIForetaksregisteret", "registrertIMvaregisteret", "registreringsdatoEnhetsregisteret"],
  ...["underAvvikling", "underTvangsavviklingEllerTvangsopplosning"],
];

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/enhetsregisteret/api/enheter/*",
    source: "data.brreg.no, OpenAPI of Enhetsregisteret",
    objects: { "": UNIT, ...parts("") },
    rare: RARE,
  },
  {
    path: "/enhetsregisteret/api/enheter",
    source: "data.brreg.no, OpenAPI of Enhetsregisteret",
    objects: {
      "": "_embedded _links page",
      page: "size totalElements totalPages number",
      "_embedded.enheter[]": UNIT,
      ...parts("_embedded.enheter[]."),
    },
    rare: RARE.map((name) => `_embedded.enheter[].${name}`),
  },
];
