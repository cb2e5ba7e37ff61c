/** Kinds of codes that are read, by the names of zxing-cpp; those of barcode.generate mean the same. */
export const BARCODE_FORMATS = [
  ...(["QRCode", "MicroQRCode", "RMQRCode", "Aztec", "DataMatrix", "PDF417", "MicroPDF417", "MaxiCode"] as const),
  ...(["EAN13", "EAN8", "UPCA", "UPCE", "Code128", "Code39", "Code39Ext", "Code93", "Codabar", "ITF"] as const),
  ...(["DataBar", "DataBarLtd", "DataBarExp", "DataBarExpStk", "Telepen", "DXFilmEdge"] as const),
] as const;

export type BarcodeFormat = (typeof BARCODE_FORMATS)[number];

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Other names of the same: of barcode.generate, of ZXing, and of everyday. */
const ALIASES: Record<string, BarcodeFormat> = {
  qr: "QRCode",
  microqr: "MicroQRCode",
  rmqr: "RMQRCode",
  azteccode: "Aztec",
  rss14: "DataBar",
  rssexpanded: "DataBarExp",
  databarexpanded: "DataBarExp",
  databarlimited: "DataBarLtd",
  databarexpandedstacked: "DataBarExpStk",
  code39extended: "Code39Ext",
  interleaved2of5: "ITF",
  gs1128: "Code128",
  gtin13: "EAN13",
};
const BY_NAME = new Map([
  ...BARCODE_FORMATS.map((name): [string, BarcodeFormat] => [plain(name), name]),
  ...Object.entries(ALIASES),
]);

/** Whatever its capitals, dashes and blanks: QR_CODE, ean-13, "Data Matrix". */
export const barcodeFormat = (name: string): BarcodeFormat | undefined => BY_NAME.get(plain(name));
