import { inflateSync } from 'node:zlib';

/** The text of the first file in a PDF that PDFKit wrote. */
export function embeddedFile(pdf: Buffer): string {
  const start = pdf.indexOf('stream\n', pdf.indexOf('/Type /EmbeddedFile')) + 'stream\n'.length;
  return inflateSync(pdf.subarray(start, pdf.indexOf('\nendstream', start))).toString();
}
