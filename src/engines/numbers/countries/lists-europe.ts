/** Lists of authorities that numbers are checked against: codes only, as of January 2026. */

/** Whether a number is in a list such as "0-99 101 103-108". */
export const isListed = (list: string, number: number): boolean =>
  list.split(" ").some((range) => {
    const [from = "", to = from] = range.split("-");
    return number >= Number(from) && number <= Number(to);
  });

/** Two digits each, by the Federal Ministry of Finance. */
export const AUSTRIAN_TAX_OFFICES =
  "03 04 06 07 08 09 10 12 15 16 18 22 23 29 33 38 41 46 51 52 53 54 57 59 61 65 67 68 69 71 72 81 82 83 84 90 " +
  "91 93 97 98";

/** The first three digits of accounts, by the National Bank of Belgium. */
export const BELGIAN_BANKS =
  "0-111 113-116 119-127 129-134 137 140-150 171 175-176 185 189-214 220-499 501 504 507-510 512-515 521-525 " +
  "538 541 546 548-560 562-579 581 583 585-588 590-601 603-605 607 610-613 624-625 630-631 634-636 638 640 " +
  "642-654 657-658 663-664 666-680 682-689 693-696 699-709 719 722 725-765 772-806 817 823-826 828 830-840 845 " +
  "850-853 859-860 862-863 865-866 868 871 873 876-881 883-884 887-888 890-899 903-908 910-911 913-917 920 " +
  "922-924 926 929-931 934 936 939-943 945 948-961 963-964 967-969 971 973-984 989-999";

/** By the Czech National Bank. */
export const CZECH_BANKS =
  "0100 0300 0600 0710 0800 2010 2060 2070 2100 2200 2220 2250 2260 2600 2700 3030 3060 3500 4300 5500 5800 " +
  "6000 6200 6210 6300 6363 6700 6800 7910 7950 7960 7970 7990 8030 8040 8060 8090 8150 8190 8198 8220 8250 " +
  "8255 8265 8500 8610 8660";

/** Local authorities, by the Department for Education. */
export const ENGLISH_AUTHORITIES =
  "201-213 301-320 330-336 340-344 350-359 370-373 380-384 390-394 420 800-803 805-808 810-813 815-816 821-823 " +
  "825-826 830-831 835-837 840-841 845-846 850-852 855-857 860-861 865-874 876-896 908-909 916 919 921 925-926 " +
  "928-929 931 933 935-938";

/** Kinds of activity with goods under excise. */
export const SPANISH_EXCISE_ACTIVITIES =
  "A0 A1 A2 A6 A7 A9 AC AF AT AV AW AX B0 B1 B6 B7 B9 BA BT C1 C7 DA DB DF DM DP E7 EC F1 H0 H1 H2 H4 H6 H7 H8 " +
  "H9 HA HB HC HD HE HF HH HI HJ HK HL HM HN HP HQ HR HS HT HU HV HW HX HZ L0 L1 L2 L3 L7 M7 OA OB OE OH OR OT " +
  "OV PF RF T1 T7 TT V1 V7 VD";
