export { barcodeGenerate } from "./generate.js";
