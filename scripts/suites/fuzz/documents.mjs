/** Broken PDFs, archives of Office and EPUB, mails, notebooks, tables and pages, made of whole ones. */
import { readFileSync } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";
import { fromBuffer } from "yauzl";

const suites = new URL("../../../test/suites/documents/", import.meta.url);
const fileOf = (name) => readFileSync(new URL(name, suites));

const membersOf = (bytes) =>
  new Promise((resolve, reject) => {
    const members = [];
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on("end", () => resolve(members));
      zip.on("entry", (entry) =>
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed);
          members.push([entry.fileName, Buffer.concat(await stream.toArray()).toString("latin1")]);
          zip.readEntry();
        }),
      );
      zip.readEntry();
    });
  });

const header = (signature, fields) => {
  const size = fields.reduce((sum, [width]) => sum + width, 4);
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32LE(signature, 0);
  let at = 4;
  for (const [width, value] of fields) {
    bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
};

/** An archive (APPNOTE 4.3): members, then their directory. */
function zipOf(members) {
  const [parts, directory] = [[], []];
  let at = 0;
  for (const [name, text] of members) {
    const [plain, path] = [Buffer.from(text, "latin1"), Buffer.from(name)];
    const packed = deflateRawSync(plain, { level: 1 });
    const facts = [
      ...[
        [2, 20],
        [2, 0],
        [2, 8],
        [2, 0],
        [2, 0x21],
        [4, crc32(plain)],
      ],
      ...[
        [4, packed.length],
        [4, plain.length],
        [2, path.length],
        [2, 0],
      ],
    ];
    const local = Buffer.concat([header(0x04034b50, facts), path, packed]);
    const central = header(0x02014b50, [[2, 20], ...facts, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]]);
    parts.push(local);
    directory.push(central, path);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const count = members.length;
  const end = header(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, central.length],
    [4, at],
    [2, 0],
  ]);
  return Buffer.concat([...parts, central, end]);
}

/** ODT by hand: no suite of ours has one. */
const ODT = [
  ["mimetype", "application/vnd.oasis.opendocument.text"],
  [
    "content.xml",
    '<office:document-content><office:automatic-styles><style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles><office:body><office:text><text:h text:outline-level="2">Tea</text:h><text:p>Boil <text:span text:style-name="T1">fresh</text:span><text:s text:c="3"/><text:a xlink:href="https://a.example/">water</text:a><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>n</text:p></text:note-body></text:note></text:p><text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>two</text:p></text:list-item></text:list></text:list-item></text:list><table:table><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell></table:table-row></table:table></office:text></office:body></office:document-content>',
  ],
];

const PARTS = /\.(?:png|jpe?g|gif|emf|bin)$/;
const membersWithoutPictures = async (name) => (await membersOf(fileOf(name))).filter(([path]) => !PARTS.test(path));
const ARCHIVES = {
  docx: await membersWithoutPictures("markitdown/test.docx"),
  pptx: await membersWithoutPictures("markitdown/test.pptx"),
  xlsx: await membersWithoutPictures("markitdown/test.xlsx"),
  epub: await membersWithoutPictures("markitdown/test.epub"),
  "docx footnotes": await membersWithoutPictures("mammoth/footnotes.docx"),
  "docx tables": await membersWithoutPictures("mammoth/tables.docx"),
  odt: ODT,
};

const TEXTS = {
  ipynb: fileOf("markitdown/test_notebook.ipynb").toString("latin1"),
  "csv japanese": fileOf("markitdown/test_mskanji.csv").toString("latin1"),
  csv: 'a;b;c\n"x;""y";2;3\n4;5;6\n',
  eml: "From: a@b.example\nTo: c@d.example\nSubject: =?utf-8?q?T=C3=A9a?=\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<p>Hello =C3=A9</p>\n--x\nContent-Type: application/pdf; name=a.pdf\nContent-Disposition: attachment; filename*=utf-8''a.pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0=\n--x--\n",
  html: '<!doctype html><html lang=en><head><title>Tea</title></head><body><article><h1>Tea</h1><p>Boil <b>fresh <i>water</i></b>.</p><ul><li>one<ol><li>two</ol></ul><table><tr><th colspan=2>a<tr><td>1<td>2</table><pre><code class="language-js">x\n</code></pre><a href="javascript:x">l</a><img src=a.png alt=b></article></body></html>',
};
const WORDS = [
  ..."<>&;\"'=/\\{}[](),:\n\r\t\0 ",
  ...[
    "</w:p>",
    "<w:p>",
    "<w:tbl>",
    "</w:tc>",
    "<w:gridSpan w:val='99999'/>",
    "<![CDATA[",
    "-->",
    "<!--",
    "&#x0;",
    "&amp;",
  ],
  ...[
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    "xml:space",
    "r:id",
    "rId1",
    "../",
    "999999999",
    "-1",
    "1e309",
    "NaN",
    "é",
    "\ufffd",
  ],
  ...[
    "<td colspan=1000>",
    "<table>",
    "</table>",
    "<li>",
    "<blockquote>",
    "<pre>",
    "```",
    "--x",
    "=?utf-8?b?",
    "charset=utf-16",
  ],
  ...["[[[[[[[[", "{{{{{{{{", "<div>".repeat(60), "a".repeat(500)],
];

const PDF = (content) =>
  `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Rotate 0 /Resources << /Font << /F1 4 0 R >> /XObject << /X 6 0 R >> >> /Contents 5 0 R >>\nendobj\n4 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [65 /a /b] >> >>\nendobj\n5 0 obj\n<< /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n6 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 12 >>\nstream\n0 0 9 9 re f\nendstream\nendobj\n7 0 obj\n<< /First 8 0 R /Count 1 >>\nendobj\n8 0 obj\n<< /Title (A) /Parent 7 0 R /Dest [3 0 R /Fit] >>\nendobj\ntrailer\n<< /Size 9 /Root 1 0 R >>\n%%EOF\n`;
const CONTENT =
  "BT /F1 24 Tf 50 780 Td (On tea) Tj ET q 1 0 0 1 0 0 cm 0.5 w 45 613 m 345 613 l S 45 593 300 0.5 re f Q BT /F1 10 Tf 1 0 0 1 50 600 Tm [(Green) -500 (80)] TJ T* (x) ' ET BT /F1 10 Tf 50 580 Td (Black) Tj 100 0 Td (100) Tj ET /X Do BI /W 1 /H 1 /CS /G /BPC 8 ID x EI";
const OPERATORS = [
  ...[
    "q ",
    "Q ",
    "BT ",
    "ET ",
    "/F1 0 Tf ",
    "/F1 1e38 Tf ",
    "0 0 0 0 0 0 cm ",
    "1e30 0 0 1e30 0 0 cm ",
    "re ",
    "m ",
    "l ",
    "c ",
    "h ",
    "S ",
    "f* ",
  ],
  ...[
    "/X Do ",
    "3 0 R",
    "5 0 R",
    "<< ",
    ">> ",
    "[ ",
    "] ",
    "( ",
    ") ",
    "<",
    ">",
    "/Kids ",
    "/Count 99999999 ",
    "/Parent 3 0 R ",
    "/Rotate 45 ",
  ],
  ...[
    "/Filter /FlateDecode ",
    "/Filter /ASCIIHexDecode ",
    "/Type /ObjStm ",
    "obj\n",
    "endobj\n",
    "stream\n",
    "endstream\n",
    "null ",
    "-1 ",
    "99999999999 ",
    "\0",
    "\xff",
  ],
  ...[
    "/Encrypt << /Filter /Standard /V 1 /R 2 >> ",
    "/MediaBox [0 0 1e9 1] ",
    "BI ",
    "ID ",
    "EI ",
    "'",
    '"',
    "TJ ",
    "Tj ",
    "Tm ",
    "Td ",
    "Tr ",
    "Tz ",
  ],
];

const base64 = (text) => Buffer.from(text, "latin1").toString("base64");

function pdf({ below, damage }) {
  const content = below(2) ? damage(damage(CONTENT, OPERATORS), OPERATORS) : CONTENT;
  const whole = below(2) ? damage(PDF(content), OPERATORS) : PDF(content);
  return { file: base64(whole) };
}

const archive = (members) => (random) => {
  const { below, damage } = random;
  const chosen = below(members.length);
  const broken = members.map(([name, text], i) => [name, i === chosen || below(6) === 0 ? damage(text, WORDS) : text]);
  const zip = zipOf(below(20) === 0 ? broken.filter((_, i) => i !== chosen) : broken);
  return { file: below(10) === 0 ? base64(damage(zip.toString("latin1"), WORDS)) : zip.toString("base64") };
};

const text = (right) => (random) => ({ file: base64(random.damage(random.damage(right, WORDS), WORDS) || "x") });

export const parsers = {
  ...{ "pdf.text": pdf, "pdf.to-markdown": pdf, "pdf.to-image": (random) => ({ ...pdf(random), dpi: 36 }) },
  ...Object.fromEntries(
    Object.entries(ARCHIVES).map(([kind, members]) => [`doc.to-markdown ${kind}`, archive(members)]),
  ),
  ...Object.fromEntries(Object.entries(TEXTS).map(([kind, right]) => [`doc.to-markdown ${kind}`, text(right)])),
  "html.to-markdown": (random) => ({
    html: random.damage(random.damage(TEXTS.html, WORDS), WORDS) || "x",
    main: random.below(2) === 1,
  }),
};
