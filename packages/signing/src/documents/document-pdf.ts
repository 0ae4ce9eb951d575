import { Buffer } from 'node:buffer';
import type { FormTextSpan } from '@waiver-service/forms';
import PDFDocument from 'pdfkit';
import { type DocumentBlock, type SigningDocument, strokePath } from './document-page.ts';
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

const lineHeight = 1.4;
/** A row of a table up to this height is not split. */
const maxWholeHeight = 150;
/** What is kept together is at most as high. */
const maxGroupHeight = 320;
/** The last of several pages has at least as much, so that it is not empty but for a line. */
const minLastHeight = 120;

/** A piece of a page that is not split: a line, or a picture. */
interface Unit {
  readonly height: number;
  /** Space above; not at the top of a page. */
  readonly before?: number;
  readonly after?: number;
  readonly keepsWithNext?: boolean;
  readonly draw: (y: number) => void;
}

const heightOf = (units: readonly Unit[]): number =>
  units.reduce((sum, { before = 0, height, after = 0 }) => sum + before + height + after, 0);

/** Adds space around units, and keeps the last of them with what follows. */
function spaced(
  units: readonly Unit[],
  { before = 0, after = 0, keepsWithNext }: Pick<Unit, 'before' | 'after' | 'keepsWithNext'>,
): Unit[] {
  return units.map((unit, index) => ({
    ...unit,
    before: (unit.before ?? 0) + (index === 0 ? before : 0),
    after: (unit.after ?? 0) + (index === units.length - 1 ? after : 0),
    keepsWithNext: keepsWithNext ?? unit.keepsWithNext ?? false,
  }));
}

/** Draws columns of units beside each other, as the content of a structure element. */
function inside(
  parent: PDFKit.PDFStructureElement,
  element: PDFKit.PDFStructureElement,
  columns: readonly (readonly Unit[])[],
): Unit[] {
  const count = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) => {
    const units = columns.flatMap((column) => column[index] ?? []);
    const largest = (name: 'before' | 'height' | 'after') =>
      Math.max(...units.map((unit) => unit[name] ?? 0));
    return {
      before: largest('before'),
      height: largest('height'),
      after: largest('after'),
      keepsWithNext: units.some((unit) => unit.keepsWithNext === true),
      draw: (y) => {
        if (index === 0) parent.add(element);
        for (const { draw } of units) draw(y);
        if (index === count - 1) element.end();
      },
    };
  });
}

/** Groups units that stay on one page. */
function groupsOf(units: readonly Unit[]): readonly (readonly Unit[])[] {
  const groups: (readonly Unit[])[] = [];
  let start = 0;
  let height = 0;
  for (const [index, unit] of units.entries()) {
    const own = heightOf([unit]);
    if (index > start && height + own > maxGroupHeight) {
      groups.push(units.slice(start, index));
      start = index;
      height = 0;
    }
    height += own;
    if (unit.keepsWithNext === true) continue;
    groups.push(units.slice(start, index + 1));
    start = index + 1;
    height = 0;
  }
  if (start < units.length) groups.push(units.slice(start));
  return groups;
}

/** Draws blocks from top to bottom, with the structure that a screen reader needs. */
class PdfWriter {
  private readonly pdf: PDFKit.PDFDocument;
  private readonly shown: SigningDocument;
  private readonly root: PDFKit.PDFStructureElement;
  private readonly fontNames = new Set<string>();

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

  private drawLine(line: TextLine, { size, color = 'black', left = 0 }: TextStyle, y: number): void {
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
        .text(run.text, x, y + size, { lineBreak: false, ...layoutOf(run), baseline: 'alphabetic' });
      if (index < line.length - 1) x += this.widthOf(run, size);
    }
  }

  /** A paragraph as one structure element; its lines may continue on the next page, but no line is left by itself. */
  private text(
    parent: PDFKit.PDFStructureElement,
    type: string,
    spans: readonly FormTextSpan[],
    style: TextStyle,
  ): Unit[] {
    // Read aloud and copied in the order of the text, not of the drawing.
    const element = this.pdf.struct(type, { actual: spans.map(({ text }) => text).join('') });
    const lines = this.linesOf(spans, style);
    return lines.map((line, index) => ({
      height: style.size * lineHeight,
      keepsWithNext: index < lines.length - 1 && (index === 0 || index === lines.length - 2),
      draw: (y) => {
        if (index === 0) parent.add(element);
        element.add(() => this.drawLine(line, style, y));
        if (index === lines.length - 1) element.end();
      },
    }));
  }

  private heading({ level, text }: Extract<DocumentBlock, { kind: 'heading' }>): Unit[] {
    const size = [20, 14, 12][level - 1] ?? 12;
    const units = this.text(this.root, `H${level}`, plain(text), { size, bold: true });
    return spaced(units, { before: size * 0.7, after: size * 0.3, keepsWithNext: true });
  }

  private richText({ block }: Extract<DocumentBlock, { kind: 'text' }>): Unit[] {
    if (block.type === 'heading') {
      const units = this.text(this.root, 'H3', block.spans, { size: 11, bold: true });
      return spaced(units, { before: 4, after: 4, keepsWithNext: true });
    }
    const units =
      block.type === 'paragraph'
        ? this.text(this.root, 'P', block.spans, { size: 10 })
        : this.list(block.items, block.start);
    return spaced(units, { after: 4 });
  }

  private list(items: readonly (readonly FormTextSpan[])[], start: number | null): Unit[] {
    if (items.length === 0) return [];
    const list = this.pdf.struct('L');
    const rows = items.map((spans, index) => {
      const item = this.pdf.struct('LI');
      const label = plain(start === null ? '•' : `${start + index}.`);
      return inside(list, item, [
        this.text(item, 'Lbl', label, { size: 10, left: 4 }),
        this.text(item, 'LBody', spans, { size: 10, left: 22, width: contentWidth - 22 }),
      ]);
    });
    return inside(this.root, list, [rows.flat()]);
  }

  /** Rows stay whole, but one that is long may continue on the next page: otherwise it would leave most of a page empty. */
  private facts({ facts }: Extract<DocumentBlock, { kind: 'facts' }>): Unit[] {
    // An element that is never drawn would keep the PDF from ending.
    if (facts.length === 0) return [];
    const table = this.pdf.struct('Table');
    const label = { size: 9, color: gray, width: 165 };
    const value = { size: 10, left: 175, width: contentWidth - 175, isForeign: true };
    const rows = facts.map((fact) => {
      const row = this.pdf.struct('TR');
      const lines = inside(table, row, [
        this.text(row, 'TH', plain(fact.label), label),
        this.text(row, 'TD', plain(fact.value), value),
      ]);
      const isLong = heightOf(lines) > maxWholeHeight;
      const whole = lines.map((line, index) => ({ ...line, keepsWithNext: index < lines.length - 1 }));
      return spaced(isLong ? lines : whole, { after: 2 });
    });
    return spaced(inside(this.root, table, [rows.flat()]), { after: 4 });
  }

  private figure(label: string, height: number, draw: (x: number, y: number) => void): Unit[] {
    const width = 240;
    const x = this.shown.direction === 'rtl' ? page.width - page.margin - width : page.margin;
    const picture: Unit = {
      height: height + 4,
      keepsWithNext: true,
      draw: (y) => this.root.add(this.pdf.struct('Figure', { alt: label }, [() => draw(x, y)])),
    };
    return spaced([picture, ...this.text(this.root, 'P', plain(label), { size: 8, color: gray })], {
      after: 6,
    });
  }

  private drawing({ label, strokes, width, height }: Extract<DocumentBlock, { kind: 'drawing' }>): Unit[] {
    const scale = Math.min(240 / width, 110 / height);
    return this.figure(label, Math.max(height * scale, 10), (x, y) => {
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

  private photo({ label, data }: Extract<DocumentBlock, { kind: 'photo' }>): Unit[] {
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
    return this.figure(label, 180, (x, y) => {
      const style = { size: 10 };
      if (!draw(x, y)) this.drawLine(this.linesOf(plain(this.elsewhere), style)[0] ?? [], style, y);
    });
  }

  private written({ label, text }: Extract<DocumentBlock, { kind: 'written' }>): Unit[] {
    const name = this.text(this.root, 'P', plain(text), { size: 16, isForeign: true });
    return [
      ...spaced(name, { before: 4, keepsWithNext: true }),
      ...spaced(this.text(this.root, 'P', plain(label), { size: 8, color: gray }), { after: 6 }),
    ];
  }

  private unitsOf(block: DocumentBlock): Unit[] {
    switch (block.kind) {
      case 'heading':
        return this.heading(block);
      case 'text':
        return this.richText(block);
      case 'note':
        return spaced(this.text(this.root, 'P', plain(block.text), { size: 10 }), { after: 4 });
      case 'facts':
        return this.facts(block);
      case 'drawing':
        return this.drawing(block);
      case 'photo':
        return this.photo(block);
      case 'written':
        return this.written(block);
    }
  }

  write(blocks: readonly DocumentBlock[]): void {
    const units = blocks.flatMap((block) => this.unitsOf(block));
    let rest = heightOf(units);
    let y = page.margin;
    for (const group of groupsOf(units)) {
      const height = heightOf(group);
      const needed = rest - height < minLastHeight ? rest : height;
      if (y > page.margin && y + needed > bottom) {
        this.pdf.addPage();
        y = page.margin;
      }
      for (const { before = 0, height: own, after = 0, draw } of group) {
        if (y > page.margin) y += before;
        draw(y);
        y += own + after;
      }
      rest -= height;
    }
  }

  /** Numbers the pages; the numbers are not read aloud. */
  end(reference: string): void {
    this.root.end();
    const { start, count } = this.pdf.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      this.pdf.switchToPage(start + index);
      this.pdf.markContent('Artifact', { type: 'Pagination' });
      const text = `${this.shown.title} · ${reference} · ${index + 1} / ${count}`;
      const style = { size: 8, color: gray };
      const [line = []] = this.linesOf(plain(text), style);
      this.drawLine(line, style, page.height - page.footer);
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
  writer.write(shown.blocks);
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
