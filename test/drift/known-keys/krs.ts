import type { KnownKeys } from "../../support/render-inventories.js";

/** Sections of an extract depend on the register and on the form of the entity: a foundation has no shares. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/krs/OdpisAktualny/*",
    source: "prs.ms.gov.pl, open API of KRS",
    objects: {
      "": "odpis",
      odpis: "rodzaj naglowekA naglowekP dane",
      "odpis.naglowekA":
        "rejestr numerKRS dataCzasOdpisu stanZDnia dataRejestracjiWKRS numerOstatniegoWpisu dataOstatniegoWpisu sygnaturaAktSprawyDotyczacejOstatniegoWpisu oznaczenieSaduDokonujacegoOstatniegoWpisu stanPozycji",
      "odpis.dane": "dzial1 dzial2 dzial3 dzial4 dzial5 dzial6",
      "odpis.dane.dzial1":
        "danePodmiotu siedzibaIAdres umowaStatut pozostaleInformacje sposobPowstaniaPodmiotu wspolnicySpzoo kapital emisjeAkcji wzmiankiOPodjeciuUchwal danePartnerow danePodmiotuZagranicznego jednostkiTerenoweOddzialy organSprawujacyNadzor jedynyAkcjonariusz komitetZalozycielski wspolnicy danePrzedsiebiorcyZagranicznego informacjeODepozytariuszu wzmiankaOUpowaznieniuDoEmisjiWarrantowSubskrypcyjnych",
      "odpis.dane.dzial1.danePodmiotu":
        "formaPrawna identyfikatory nazwa daneOWczesniejszejRejestracji czyProwadziDzialalnoscZInnymiPodmiotami czyPosiadaStatusOPP czyPosiadaStatusPozytku",
      "odpis.dane.dzial1.danePodmiotu.identyfikatory": "regon nip",
      // A church's own body was in no register of a court: its authority alone stands there.
      "odpis.dane.dzial1.danePodmiotu.daneOWczesniejszejRejestracji":
        "nazwaPoprzedniegoRejestru numerWPoprzednimRejestrze sadProwadzacyRejestr",
      "odpis.dane.dzial1.siedzibaIAdres":
        "siedziba adres adresPocztyElektronicznej adresStronyInternetowej adresDoDoreczenElektronicznychWpisanyDoBAE",
      "odpis.dane.dzial1.siedzibaIAdres.siedziba": "kraj wojewodztwo powiat gmina miejscowosc",
      "odpis.dane.dzial1.siedzibaIAdres.adres": "ulica nrDomu nrLokalu miejscowosc kodPocztowy poczta kraj opis",
      "odpis.dane.dzial1.kapital":
        "wysokoscKapitaluZakladowego wysokoscKapitaluDocelowego wysokoscKapitaluDocelowegoZapasowego wartoscWarunkowegoPodwyzszeniaKapitaluZakladowego lacznaLiczbaAkcjiUdzialow wartoscJednejAkcji czescKapitaluWplaconegoPokrytego wniesioneAporty wartoscNominalnaPodwyzszeniaWarunkowego",
      "odpis.dane.dzial1.kapital.wysokoscKapitaluZakladowego": "wartosc waluta",
      "odpis.dane.dzial1.wspolnicySpzoo[]":
        "nazwa nazwisko imiona identyfikator krs posiadaneUdzialy czyPosiadaCaloscUdzialow",
      "odpis.dane.dzial1.wspolnicySpzoo[].nazwisko": "nazwiskoICzlon nazwiskoIICzlon",
      "odpis.dane.dzial1.wspolnicySpzoo[].imiona": "imie imieDrugie imieTrzecie",
      "odpis.dane.dzial1.wspolnicySpzoo[].identyfikator": "pesel regon nip dataUrodzenia",
      "odpis.dane.dzial2":
        "reprezentacja organNadzoru prokurenci pelnomocnicy likwidatorzy uprawnieniDoReprezentowania",
      "odpis.dane.dzial2.reprezentacja": "nazwaOrganu sposobReprezentacji sklad",
      "odpis.dane.dzial2.reprezentacja.sklad[]":
        "nazwa nazwisko imiona identyfikator krs funkcjaWOrganie czyZawieszona",
      "odpis.dane.dzial2.reprezentacja.sklad[].nazwisko": "nazwiskoICzlon nazwiskoIICzlon",
      "odpis.dane.dzial2.reprezentacja.sklad[].imiona": "imie imieDrugie imieTrzecie",
      "odpis.dane.dzial2.organNadzoru[]": "nazwa sklad",
      "odpis.dane.dzial3":
        "przedmiotDzialalnosci przedmiotDzialalnosciOPP wzmiankiOZlozonychDokumentach sprawozdaniaGrupyKapitalowej informacjaODniuKonczacymRokObrotowy celDzialaniaOrganizacji celDzialaniaFundacji",
      "odpis.dane.dzial3.przedmiotDzialalnosci": "przedmiotPrzewazajacejDzialalnosci przedmiotPozostalejDzialalnosci",
    },
    rare: [
      ...["dzial1", "dzial2", "dzial3"].map((name) => `odpis.dane.${name}`),
      "odpis.naglowekA.oznaczenieSaduDokonujacegoOstatniegoWpisu",
      ...["wspolnicySpzoo", "kapital", "siedzibaIAdres"].map((name) => `odpis.dane.dzial1.${name}`),
      ...["daneOWczesniejszejRejestracji", "czyPosiadaStatusOPP", "identyfikatory"].map(
        (name) => `odpis.dane.dzial1.danePodmiotu.${name}`,
      ),
      ...["nazwaPoprzedniegoRejestru", "numerWPoprzednimRejestrze"].map(
        (name) => `odpis.dane.dzial1.danePodmiotu.daneOWczesniejszejRejestracji.${name}`,
      ),
      ...["nip", "regon"].map((name) => `odpis.dane.dzial1.danePodmiotu.identyfikatory.${name}`),
      "odpis.dane.dzial1.siedzibaIAdres.adresStronyInternetowej",
      ...["ulica", "nrDomu", "kodPocztowy"].map((name) => `odpis.dane.dzial1.siedzibaIAdres.adres.${name}`),
      ...["nazwa", "identyfikator", "krs", "posiadaneUdzialy", "nazwisko", "imiona"].map(
        (name) => `odpis.dane.dzial1.wspolnicySpzoo[].${name}`,
      ),
      ...["reprezentacja", "organNadzoru"].map((name) => `odpis.dane.dzial2.${name}`),
      ...["nazwaOrganu", "sposobReprezentacji", "sklad"].map((name) => `odpis.dane.dzial2.reprezentacja.${name}`),
      ...["nazwisko", "imiona", "funkcjaWOrganie", "czyZawieszona"].map(
        (name) => `odpis.dane.dzial2.reprezentacja.sklad[].${name}`,
      ),
      "odpis.dane.dzial2.reprezentacja.sklad[].imiona.imieDrugie",
      ...["przedmiotDzialalnosci", "przedmiotDzialalnosciOPP"].map((name) => `odpis.dane.dzial3.${name}`),
      ...["przedmiotPrzewazajacejDzialalnosci", "przedmiotPozostalejDzialalnosci"].map(
        (name) => `odpis.dane.dzial3.przedmiotDzialalnosci.${name}`,
      ),
    ],
  },
];
