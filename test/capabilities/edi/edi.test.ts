import { describe, expect, it } from "vitest";
import { ediEdifact, ediParse } from "../../../src/capabilities/edi/index.js";
import type { CapabilityError } from "../../../src/errors.js";

type Written = Parameters<typeof ediEdifact>[0];

async function parse(text: string) {
  const { items } = await ediParse({ text });
  const [item] = items;
  if (!item) throw new Error("no item");
  return item;
}

async function edifact(input: Written) {
  const { items } = await ediEdifact(input);
  const [item] = items;
  if (!item) throw new Error("no item");
  return item;
}

const ISA =
  "ISA*00*          *00*          *ZZ*SENDER         *01*RECEIVER       *261123*0930*^*00501*000000042*0*P*:~";
const GS = "GS*PO*APP1*APP2*20261123*0930*7*X*005010~";
const X12 = `${ISA}${GS}ST*850*0001~BEG*00*SA*A1**20261123~N1*ST*A:B*C^D:E~SE*4*0001~GE*1*7~IEA*1*000000042~`;
const ORDERS =
  "UNB+UNOC:3+S:14+R:14+261123:0930+42'UNH+1+ORDERS:D:96A:UN:EAN008'BGM+220+A?'1?+'FTX+AAI+++One:two'UNT+4+1'UNZ+1+42'";

describe("edi.parse", () => {
  it("reads X12 with its envelopes, components and repetitions", async () => {
    expect(await parse(X12)).toMatchObject({
      format: "x12",
      valid: true,
      delimiters: { element: "*", component: ":", segment: "~", repetition: "^", release: null },
      interchanges: [
        {
          sender: "SENDER",
          receiver: "RECEIVER",
          control: "000000042",
          date: "2026-11-23",
          time: "09:30",
          groups: [
            {
              functionalId: "PO",
              version: "005010",
              control: "7",
              transactions: [
                {
                  type: "850",
                  control: "0001",
                  segments: [
                    { tag: "BEG", elements: ["00", "SA", "A1", "", "20261123"] },
                    { tag: "N1", elements: ["ST", ["A", "B"], { repeat: ["C", ["D", "E"]] }] },
                  ],
                },
              ],
            },
          ],
        },
      ],
      errors: [],
    });
  });

  it("reads EDIFACT with release characters", async () => {
    expect(await parse(ORDERS)).toMatchObject({
      format: "edifact",
      valid: true,
      interchanges: [
        {
          sender: "S",
          senderMore: ["14"],
          control: "42",
          groups: [
            {
              functionalId: null,
              control: null,
              transactions: [
                {
                  type: "ORDERS",
                  version: "D.96A",
                  agency: "UN",
                  association: "EAN008",
                  segments: [
                    { tag: "BGM", elements: ["220", "A'1+"] },
                    { tag: "FTX", elements: ["AAI", "", "", ["One", "two"]] },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it("reads the version of X12 that has no repetitions, and lines as segments", async () => {
    const lines = X12.replace("*^*00501*", "*U*00401*").replaceAll("~", "\r\n");
    const { delimiters, interchanges, valid } = await parse(lines);
    expect({ valid, delimiters }).toMatchObject({ valid: true, delimiters: { segment: "\n", repetition: null } });
    expect(interchanges[0]?.groups[0]?.transactions[0]?.segments[1]?.elements[2]).toEqual(["C^D", "E"]);
  });

  it.each([
    [X12.replace("SE*4*", "SE*5*"), "segment-count", "SE*5"],
    [X12.replace("SE*4*0001", "SE*4*0002"), "control-number", "SE*4"],
    [X12.replace("GE*1*7", "GE*1*8"), "control-number", "GE*1"],
    [X12.replace("GE*1*7", "GE*2*7"), "group-count", "GE*2"],
    [X12.replace("IEA*1", "IEA*3"), "group-count", "IEA*3"],
    [X12.replace("IEA*1*000000042", "IEA*1*000000043"), "control-number", "IEA"],
    [X12.replace("SE*4*0001~", ""), "unfinished", "GE*1"],
    [X12.replace("ZZ*SENDER ", "ZZ*SENDER"), "delimiter", "ISA"],
    [`${X12}garbage`, "delimiter", "garbage"],
    [ORDERS.replace("UNT+4", "UNT+5"), "segment-count", "UNT+5"],
    [ORDERS.replace("UNT+4+1", "UNT+4+2"), "control-number", "UNT"],
    [ORDERS.replace("UNZ+1+42", "UNZ+2+42"), "group-count", "UNZ"],
    [ORDERS.replace("UNZ+1+42", "UNZ+1+43"), "control-number", "UNZ"],
    [ORDERS.replace("UNH+1+ORDERS:D:96A:UN:EAN008'", ""), "unfinished", "UNT"],
    [`UNA+++. '${ORDERS}`, "delimiter", "UNA"],
  ])("tells of %s that it is wrong, and where", async (text, code, at) => {
    const { valid, errors } = await parse(text);
    expect(valid).toBe(false);
    expect(errors).toContainEqual({ code, position: text.indexOf(at) });
  });

  it("tells of a file that breaks off that it does", async () => {
    for (const text of [X12.slice(0, -12), ORDERS.slice(0, -5), X12.slice(0, 150), ORDERS.slice(0, 20)])
      expect((await parse(text)).errors.map(({ code }) => code)).toContain("unfinished");
    expect((await parse("ISA*00")).errors).toEqual([{ code: "delimiter", position: 0 }]);
  });

  it.each([
    [{ text: "" }, "text"],
    [{ text: "hello" }, "text"],
    [{ text: "<xml/>" }, "text"],
    [{}, "text"],
    [{ text: "x", file: "eA==" }, "file"],
    [{ file: "!" }, "file"],
    [{ file: Buffer.from("PK").toString("base64") }, "file"],
    [{ text: `UNB+UNOC:3+${"A'".repeat(210_000)}` }, "text"],
    [{ text: `STX=ANA:1+S+R+261123:0930+42'${"MHD='".repeat(20_000)}` }, "text"],
    [{ text: `UNB+UNOC:3+S+R'${"UNG'".repeat(20_000)}` }, "text"],
    [{ text: "UNB+'".repeat(20_001) }, "text"],
  ])("refuses what is no such file", async (input, path) => {
    await expect(ediParse(input)).rejects.toSatisfy(
      (error: CapabilityError) => error.status === 400 && error.issues?.[0]?.path === path,
    );
  });

  it.each([
    ["elements", `${ISA}${GS}ST*850*1~N1${"*".repeat(2_000_000)}~`],
    ["components", `UNB+UNOC:3+S+R+261123:0930+42'FTX+${":".repeat(2_000_000)}'`],
    ["release characters", `UNB+UNOC:3+${"?".repeat(2_000_000)}`],
    ["line breaks", `UNB+UNOC:3+${"\n".repeat(2_000_000)}`],
    ["trailers", `UNB+UNOC:3+S+R+261123:0930+42'${"UNT'".repeat(150_000)}`],
    ["headers", "ISA".repeat(700_000)],
    ["messages", `STX=ANA:1+S+R+261123:0930+42'${"MHD='".repeat(19_990)}`],
    ["binary lengths", `${ISA}${GS}${"BIN*999999999*".repeat(100_000)}`],
  ])("ends for heaps of %s", async (_what, text) => {
    expect((await parse(text)).valid).toBe(false);
  });
});

describe("edi.edifact", () => {
  it("reads batches of TRADACOMS", async () => {
    const text = "STX=ANA:1+S+R+261123:0930+42'BAT=7'MHD=1+ORDHDR:9'TYP=0430'MTR=3'EOB=1'END=1'";
    expect(await edifact({ text })).toMatchObject({
      valid: true,
      interchanges: [{ groups: [{ control: "7" }], messages: [{ type: "ORDHDR", group: "7" }] }],
    });
    expect(await edifact({ text: text.replace("EOB=1", "EOB=2") })).toMatchObject({
      errors: [{ code: "group-count" }],
    });
  });

  const order: Written = {
    operation: "write",
    interchanges: [
      {
        sender: "S",
        receiver: "R",
        control: "42",
        date: "2026-11-23",
        time: "09:30",
        messages: [
          {
            type: "ORDERS",
            version: "D.96A",
            segments: [
              { tag: "BGM", elements: ["220", "A'1+?:"] },
              { tag: "FTX", elements: ["AAI", "", "", ["One", "", "two", ""]] },
            ],
          },
        ],
      },
    ],
  };

  it("writes a file with its counts, and reads it back", async () => {
    const item = await edifact(order);
    expect(item).toMatchObject({
      valid: true,
      text: "UNB+UNOC:3+S+R+261123:0930+42'UNH+1+ORDERS:D:96A:UN'BGM+220+A?'1?+???:'FTX+AAI+++One::two'UNT+4+1'UNZ+1+42'",
      interchanges: [{ messages: [{ type: "ORDERS", version: "D.96A", agency: "UN", control: "1" }] }],
    });
    const { text: _text, ...read } = item;
    expect(await edifact({ text: item.text ?? "" })).toEqual(read);
  });

  it("advises delimiters that are not the usual ones", async () => {
    const item = await edifact({ ...order, delimiters: { decimal: ",", repetition: "*" } });
    expect(item.text).toMatch(/^UNA:\+,\?\*'UNB\+/);
    expect(item.delimiters).toMatchObject({ decimal: ",", repetition: "*", release: "?" });
  });

  it("writes groups and TRADACOMS", async () => {
    const [interchange] = order.interchanges ?? [];
    if (!interchange) throw new Error("no interchange");
    const [message] = interchange.messages;
    if (!message) throw new Error("no message");
    const grouped = await edifact({
      operation: "write",
      interchanges: [
        {
          ...interchange,
          groups: [{ control: "g1", functionalId: "ORDERS", version: "D.96A", agency: "UN" }],
          messages: [
            { ...message, group: "g1" },
            { ...message, group: "g1" },
          ],
        },
      ],
    });
    expect(grouped).toMatchObject({ valid: true, interchanges: [{ messages: [{ group: "g1" }, { group: "g1" }] }] });
    expect(grouped.text).toContain("UNG+ORDERS++++g1+UN+D:96A'UNH+1+");
    expect(grouped.text).toContain("UNE+2+g1'UNZ+1+42'");
    const shop = await edifact({
      operation: "write",
      format: "tradacoms",
      interchanges: [{ ...interchange, messages: [{ type: "ORDHDR", version: "9", segments: [] }] }],
    });
    expect(shop).toMatchObject({ valid: true, text: "STX=ANA:1+S+R+261123:0930+42'MHD=1+ORDHDR:9'MTR=2'END=1'" });
  });

  it("takes the time of the call where none is given", async () => {
    const [interchange] = order.interchanges ?? [];
    if (!interchange) throw new Error("no interchange");
    const { items } = await ediEdifact(
      { operation: "write", interchanges: [{ ...interchange, date: undefined, time: undefined }] },
      { clock: () => new Date("2026-01-02T03:04:05Z") },
    );
    expect(items[0]?.interchanges[0]).toMatchObject({ date: "2026-01-02", time: "03:04" });
  });

  const [interchange] = order.interchanges ?? [];
  it.each([
    [{ operation: "write" }, "interchanges"],
    [{ ...order, text: ORDERS }, "text"],
    [{ text: ORDERS, interchanges: order.interchanges }, "interchanges"],
    [{ text: X12 }, "text"],
    [{}, "text"],
    [{ operation: "write", interchanges: [] }, "interchanges"],
    [{ operation: "write", interchanges: [{ ...interchange, messages: undefined }] }, "interchanges.0.messages"],
    [
      {
        operation: "write",
        interchanges: [{ ...interchange, messages: [{ type: "A", segments: [{ tag: "x", elements: [] }] }] }],
      },
      "interchanges.0.messages.0.segments.0.tag",
    ],
    [
      {
        operation: "write",
        interchanges: [{ ...interchange, messages: [{ type: "A", segments: [{ tag: "BGM", elements: ["a\nb"] }] }] }],
      },
      "interchanges.0.messages.0.segments.0",
    ],
    [
      {
        operation: "write",
        interchanges: [
          { ...interchange, messages: [{ type: "A", segments: [{ tag: "BGM", elements: [{ repeat: ["a", "b"] }] }] }] },
        ],
      },
      "interchanges.0.messages.0.segments.0",
    ],
    [{ ...order, delimiters: { element: ":" } }, "delimiters"],
    [{ ...order, delimiters: { release: null } }, "interchanges.0.messages.0.segments.0"],
    [{ operation: "delete" }, "operation"],
  ])("refuses %j at %s", async (input, path) => {
    await expect(ediEdifact(input as Written)).rejects.toSatisfy(
      (error: CapabilityError) => error.status === 400 && error.issues?.[0]?.path === path,
    );
  });
});
