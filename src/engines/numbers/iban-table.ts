/**
 * The registry of IBAN formats (SWIFT, release 101): country, structure of the part behind the check digits, then the places of
 * bank, branch and account in it. An account without places is all that follows bank and branch.
 */
export const IBAN_REGISTRY = "101";

export const IBAN_FORMATS =
  "AD:4n4n12c:0-4:4-8: AE:3n16n:0-3:: AL:8n16c:0-3:3-8:8-24 AT:5n11n:0-5:: AZ:4a20c:0-4:: BA:3n3n8n2n:0-3:3-6:6-14 " +
  "BE:3n7n2n:0-3::3-10 BG:4a4n2n8c:0-4:4-8:8-18 BH:4a14c:0-4:: BI:5n5n11n2n:0-5:5-10:10-21 " +
  "BR:8n5n10n1a1c:0-8:8-13:13-23 BY:4c4n16c:0-4:: CH:5n12c:0-5:: CR:4n14n:0-4:: CY:3n5n16c:0-3:3-8: " +
  "CZ:4n16n:0-4::4-20 DE:8n10n:0-8:: DJ:5n5n11n2n:0-5:5-10:10-21 DK:4n9n1n:0-4::4-14 DO:4c20n:0-4:: " +
  "EE:2n14n:0-2::4-15 EG:4n4n17n:0-4:4-8:8-25 ES:4n4n1n1n10n:0-4:4-8:10-20 FI:3n11n:0-3::3-14 FK:2a12n:0-2:: " +
  "FO:4n9n1n:0-4::4-14 FR:5n5n11c2n:0-5:5-10:10-21 GB:4a6n8n:0-4:4-10: GE:2a16n:0-2:: GI:4a15c:0-4:: " +
  "GL:4n9n1n:0-4::4-14 GR:3n4n16c:0-3:3-7: GT:4c20c:0-4:: HN:4a20n:0-4:: HR:7n10n:0-7::7-17 " +
  "HU:3n4n1n15n1n:0-3:3-7:7-23 IE:4a6n8n:0-4:4-10: IL:3n3n13n:0-3:3-6: IQ:4a3n12n:0-4:4-7: " +
  "IS:4n2n6n10n:0-2:2-4:6-16 IT:1a5n5n12c:1-6:6-11:11-23 JO:4a4n18c:0-4:4-8: KW:4a22c:0-4:: KZ:3n13c:0-3:: " +
  "LB:4n20c:0-4:: LC:4a24c:0-4:: LI:5n12c:0-5:: LT:5n11n:0-5:: LU:3n13c:0-3:: LV:4a13c:0-4:: LY:3n3n15n:0-3:3-6: " +
  "MC:5n5n11c2n:0-5:5-10:10-21 MD:2c18c:0-2:: ME:3n13n2n:0-3::3-16 MK:3n10c2n:0-3::3-13 MN:4n12n:0-4:: " +
  "MR:5n5n11n2n:0-5:5-10:10-21 MT:4a5n18c:0-4:4-9: MU:4a2n2n12n3n3a:0-6:6-8:8-20 NI:4a20n:0-4:: NL:4a10n:0-4:: " +
  "NO:4n6n1n:0-4::4-11 OM:3n16c:0-3:: PK:4a16c:0-4:: PL:8n16n:0-3:3-8:8-24 PS:4a21c:0-4:: PT:4n4n11n2n:0-4:4-8:8-19 " +
  "QA:4a21c:0-4:: RO:4a16c:0-4:: RS:3n13n2n:0-3::3-16 RU:9n5n15c:0-9:9-14: SA:2n18c:0-2:: " +
  "SC:4a2n2n16n3a:0-6:6-8:8-24 SD:2n12n:0-2:: SE:3n16n1n:0-3::3-20 SI:5n8n2n:0-2:2-5:5-13 SK:4n6n10n:0-4::4-20 " +
  "SM:1a5n5n12c:1-6:6-11:11-23 SO:4n3n12n:0-4:4-7: ST:4n4n11n2n:0-4:4-8:8-19 SV:4a20n:0-4:: TL:3n14n2n:0-3::3-17 " +
  "TN:2n3n13n2n:0-2:2-5:5-18 TR:5n1n16c:0-5::6-22 UA:6n19c:0-6:: VA:3n15n:0-3:: VG:4a16n:0-4:: " +
  "XK:4n10n2n:0-2:2-4:4-14 YE:4a4n18c:0-4:4-8:";

/** Countries and territories of the Single Euro Payments Area whose IBANs begin with their own code. */
export const SEPA =
  "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA";
