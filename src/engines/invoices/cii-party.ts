/** Parties of the Cross Industry Invoice. */

import type { XmlElement } from "../../lib/xml/parse.js";
import { allAt, at, attribute, elementText } from "../../lib/xml/paths.js";
import type { Party } from "./invoice.js";
import { address, finder, orNull, party, present } from "./values.js";

export function readTradeParty(element: XmlElement | undefined): Party | null {
  const text = finder(element);
  const taxes = element ? allAt(element, "SpecifiedTaxRegistration/ID") : [];
  const taxId = (scheme: string) => {
    const found = taxes.find((one) => attribute(one, "schemeID") === scheme);
    return found ? elementText(found) : null;
  };
  const endpoint = element && at(element, "URIUniversalCommunication/URIID");
  const contact = "DefinedTradeContact";
  const name = text("Name");
  const trading = text("SpecifiedLegalOrganization/TradingBusinessName");
  return party({
    name,
    tradingName: trading === name ? null : trading,
    vatId: taxId("VA"),
    taxNumber: taxId("FC"),
    registration: text("SpecifiedLegalOrganization/ID"),
    identifiers: element ? present(allAt(element, "ID|GlobalID").map(elementText)) : [],
    electronicAddress: endpoint ? { scheme: attribute(endpoint, "schemeID"), id: elementText(endpoint) } : null,
    address: address({
      lines: ["LineOne", "LineTwo", "LineThree"].map((name) => text(`PostalTradeAddress/${name}`)),
      city: text("PostalTradeAddress/CityName"),
      postalCode: text("PostalTradeAddress/PostcodeCode"),
      region: text("PostalTradeAddress/CountrySubDivisionName"),
      country: text("PostalTradeAddress/CountryID"),
    }),
    contact: orNull({
      name: text(`${contact}/PersonName`) ?? text(`${contact}/DepartmentName`),
      phone: text(`${contact}/TelephoneUniversalCommunication/CompleteNumber`),
      email: text(`${contact}/EmailURIUniversalCommunication/URIID`),
    }),
  });
}
