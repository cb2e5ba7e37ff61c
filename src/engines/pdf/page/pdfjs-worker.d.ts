/** The library declares no types of it, and only its presence counts. */
declare module "pdfjs-dist/legacy/build/pdf.worker.mjs";
