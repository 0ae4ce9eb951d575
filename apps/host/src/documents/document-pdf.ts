import { Buffer } from 'node:buffer';
import type { FormTextSpan } from '@waiver-service/forms';
import PDFDocument from 'pdfkit';
import type { DocumentBlock, SigningDocument } from './document-blocks.ts';
import { strokePath } from './document-page.ts';
import { strongRightToLeft, type TextLine, type TextRun, textLines } from './text-lines.ts';

const page = { width: 595.28, height: 841.89, margin: 56, footer: 40 };
const contentWidth = page.width - 2 * page.margin;
const bottom = page.height - page.margin - page.footer / 2;
const gray = '#555555';
const evidenceName = 'evidence.json';

interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly left?: number;
  readonly width?: number;
  /** In any language, whatever the document's: a name, an answer. */
  readonly isForeign?: boolean;
}

/** `features` keeps PDFKit from laying out word by word, which it caches, but which misorders Arabic. */
const layoutOf = ({ text }: TextRun) => (strongRightToLeft.test(text) ? { features: [] } : {});

const plain = (text: string, bold = false): FormTextSpan[] => [{ text, bold }];

/** Draws blocks from top to bottom, with the structure that a screen reader needs. */
class PdfWriter {
  private readonly pdf: PDFKit.PDFDocument;
  private readonly shown: SigningDocument;
  private readonly root: PDFKit.PDFStructureElement;
  private readonly fontNames = new Set<string>();
  private y = page.margin;

  /** Shown in place of a photo that cannot be drawn: where to find it. */
  private readonly elsewhere: string;

  constructor(pdf: PDFKit.PDFDocument, { document: shown, evidence }: PrintJob) {
    this.pdf = pdf;
    this.shown = shown;
    this.elsewhere = evidence === undefined ? '–' : evidenceName;
    this.root = pdf.struct('Document');
    pdf.addStructure(this.root);
  }

  private useFont({ font }: TextRun, size: number): void {
    if (!this.fontNames.has(font.file)) {
      // PDFKit accepts fontkit fonts, too, but its types do not say so.
      Reflect.apply(this.pdf.registerFont, this.pdf, [font.file, font.font]);
      this.fontNames.add(font.file);
    }
    this.pdf.font(font.file).fontSize(size);
  }

  private readonly widths = new Map<string, number>();
  private widthOf(run: TextRun, size: number): number {
    const key = `${run.font.file} ${run.text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      this.useFont(run, 1);
      width = this.pdf.widthOfString(run.text, layoutOf(run));
      this.widths.set(key, width);
    }
    return width * size;
  }

  private linesOf(
    spans: readonly FormTextSpan[],
    { size, bold, width = contentWidth, isForeign }: TextStyle,
  ): TextLine[] {
    const { language, direction } = this.shown;
    return textLines(bold ? spans.map(({ text }) => ({ text, bold })) : spans, {
      ...{ width, language, direction: isForeign ? 'auto' : direction },
      widthOf: (run) => this.widthOf(run, size),
    });
  }

  private reserve(height: number): void {
    if (this.y + height > bottom && this.y > page.margin) this.newPage();
  }

  private newPage(): void {
    this.pdf.addPage();
    this.y = page.margin;
  }

  private drawLine(line: TextLine, { size, color = 'black', left = 0 }: TextStyle): void {
    const isRightToLeft = this.shown.direction === 'rtl';
    let x = page.margin + left;
    // Measured only if needed: laying out a line costs as much as drawing it.
    if (isRightToLeft) {
      const total = line.reduce((sum, run) => sum + this.widthOf(run, size), 0);
      x = page.width - page.margin - left - total;
    }
    for (const [index, run] of line.entries()) {
      this.useFont(run, size);
      this.pdf
        .fillColor(color)
        .text(run.text, x, this.y + size, { lineBreak: false, ...layoutOf(run), baseline: 'alphabetic' });
      if (index < line.length - 1) x += this.widthOf(run, size);
    }
  }

  /** Draws a paragraph as one structure element; its lines may continue on the next page. */
  private text(
    parent: PDFKit.PDFStructureElement,
    type: string,
    spans: readonly FormTextSpan[],
    style: TextStyle,
  ) {
    // Read aloud and copied in the order of the text, not of the drawing.
    const element = this.pdf.struct(type, { actual: spans.map(({ text }) => text).join('') });
    parent.add(element);
    for (const line of this.linesOf(spans, style)) {
      this.reserve(style.size * 1.4);
      element.add(() => this.drawLine(line, style));
      this.y += style.size * 1.4;
    }
    element.end();
  }

  private heading({ level, text, newPage }: Extract<DocumentBlock, { kind: 'heading' }>): void {
    const size = [20, 14, 12][level - 1] ?? 12;
    if (newPage) this.newPage();
    this.y += this.y > page.margin ? size * 0.7 : 0;
    this.reserve(size * 4);
    this.text(this.root, `H${level}`, plain(text), { size, bold: true });
    this.y += size * 0.3;
  }

  private richText({ block }: Extract<DocumentBlock, { kind: 'text' }>): void {
    if (block.type === 'heading') {
      this.y += 4;
      this.reserve(40);
      this.text(this.root, 'H3', block.spans, { size: 11, bold: true });
    } else if (block.type === 'paragraph') this.text(this.root, 'P', block.spans, { size: 10 });
    else this.list(block.items, block.start);
    this.y += 4;
  }

  private list(items: readonly (readonly FormTextSpan[])[], start: number | null): void {
    const list = this.pdf.struct('L');
    this.root.add(list);
    for (const [index, spans] of items.entries()) {
      const item = this.pdf.struct('LI');
      list.add(item);
      this.reserve(14);
      const top = this.y;
      this.text(item, 'Lbl', plain(start === null ? '•' : `${start + index}.`), { size: 10, left: 4 });
      this.y = top;
      this.text(item, 'LBody', spans, { size: 10, left: 22, width: contentWidth - 22 });
      item.end();
    }
    list.end();
  }

  private facts({ facts }: Extract<DocumentBlock, { kind: 'facts' }>): void {
    const table = this.pdf.struct('Table');
    this.root.add(table);
    const label = { size: 9, color: gray, width: 165 };
    const value = { size: 10, left: 175, width: contentWidth - 175, isForeign: true };
    for (const fact of facts) {
      const height = Math.max(
        this.linesOf(plain(fact.label), label).length * label.size,
        this.linesOf(plain(fact.value), value).length * value.size,
      );
      this.reserve(Math.min(height * 1.4, bottom - page.margin));
      const row = this.pdf.struct('TR');
      table.add(row);
      const top = this.y;
      this.text(row, 'TH', plain(fact.label), label);
      const afterLabel = this.y;
      this.y = top;
      this.text(row, 'TD', plain(fact.value), value);
      this.y = Math.max(this.y, afterLabel) + 2;
      row.end();
    }
    table.end();
    this.y += 4;
  }

  private figure(label: string, height: number, draw: (x: number, y: number) => void): void {
    this.reserve(height + 20);
    const width = 240;
    const x = this.shown.direction === 'rtl' ? page.width - page.margin - width : page.margin;
    const top = this.y;
    this.root.add(this.pdf.struct('Figure', { alt: label }, [() => draw(x, top)]));
    this.y = top + height + 4;
    this.text(this.root, 'P', plain(label), { size: 8, color: gray });
    this.y += 6;
  }

  private drawing({ label, strokes, width, height }: Extract<DocumentBlock, { kind: 'drawing' }>): void {
    const scale = Math.min(240 / width, 110 / height);
    this.figure(label, Math.max(height * scale, 10), (x, y) => {
      this.pdf
        .save()
        .translate(x, y)
        .scale(scale)
        .lineWidth(1.2 / scale);
      this.pdf.lineCap('round').lineJoin('round').strokeColor('black');
      for (const stroke of strokes) this.pdf.path(strokePath(stroke)).stroke();
      this.pdf.restore();
      this.pdf.lineWidth(0.5).strokeColor(gray);
      this.pdf
        .moveTo(x, y + height * scale)
        .lineTo(x + 240, y + height * scale)
        .stroke();
    });
  }

  private photo({ label, data }: Extract<DocumentBlock, { kind: 'photo' }>): void {
    const bytes = Buffer.from(data, 'base64');
    const draw = (x: number, y: number): boolean => {
      // The page sends JPEG, which is embedded as is. PNG would be decompressed: a small file could exhaust the memory.
      if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return false;
      try {
        this.pdf.image(bytes, x, y, { fit: [240, 180] });
        return true;
      } catch {
        return false;
      }
    };
    this.figure(label, 180, (x, y) => {
      const style = { size: 10 };
      if (!draw(x, y)) this.drawLine(this.linesOf(plain(this.elsewhere), style)[0] ?? [], style);
    });
  }

  private written({ label, text }: Extract<DocumentBlock, { kind: 'written' }>): void {
    this.y += 4;
    this.reserve(44);
    this.text(this.root, 'P', plain(text), { size: 16, isForeign: true });
    this.text(this.root, 'P', plain(label), { size: 8, color: gray });
    this.y += 6;
  }

  private note({ text }: Extract<DocumentBlock, { kind: 'note' }>): void {
    this.text(this.root, 'P', plain(text), { size: 10 });
    this.y += 4;
  }

  write(block: DocumentBlock): void {
    if (block.kind === 'heading') this.heading(block);
    else if (block.kind === 'text') this.richText(block);
    else if (block.kind === 'note') this.note(block);
    else if (block.kind === 'facts') this.facts(block);
    else if (block.kind === 'drawing') this.drawing(block);
    else if (block.kind === 'photo') this.photo(block);
    else this.written(block);
  }

  /** Numbers the pages; the numbers are not read aloud. */
  end(reference: string): void {
    this.root.end();
    const { start, count } = this.pdf.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      this.pdf.switchToPage(start + index);
      this.pdf.markContent('Artifact', { type: 'Pagination' });
      this.y = page.height - page.footer;
      const text = `${this.shown.title} · ${reference} · ${index + 1} / ${count}`;
      const style = { size: 8, color: gray };
      const [line = []] = this.linesOf(plain(text), style);
      this.drawLine(line, style);
      this.pdf.endMarkedContent();
    }
  }
}

export interface PrintJob {
  readonly document: SigningDocument;
  /** The text of the evidence file; undefined for a copy without it. */
  readonly evidence: string | undefined;
  /** At the foot of each page, beside the title. */
  readonly reference: string;
}

/**
 * The document as a tagged PDF/A-3 that contains the evidence as the file `evidence.json`. Takes up to a second of CPU
 * time: see `print-document.ts`.
 */
export function documentPdf(job: PrintJob): Promise<Buffer> {
  const { document: shown, evidence, reference } = job;
  const pdf = new PDFDocument({
    ...{
      size: 'A4',
      margin: 0,
      bufferPages: true,
      font: '',
      pdfVersion: '1.7',
      subset: 'PDF/A-3a',
      tagged: true,
    },
    ...{ lang: shown.language, displayTitle: true },
    info: { Title: shown.title, CreationDate: shown.createdAt },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
  const writer = new PdfWriter(pdf, job);
  for (const block of shown.blocks) writer.write(block);
  writer.end(reference);
  if (evidence !== undefined) {
    pdf.file(Buffer.from(evidence), {
      ...{ name: evidenceName, type: 'application/json', relationship: 'Source' },
      ...{
        description: 'The sealed record, for waiver-service verify',
        creationDate: shown.createdAt,
        modifiedDate: shown.createdAt,
      },
    });
  }
  pdf.end();
  return done;
}
