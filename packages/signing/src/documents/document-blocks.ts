import type { FormTextBlock } from '@waiver-service/forms';

/** A piece of a document, as page and PDF both draw it. Texts are plain. */
export type DocumentBlock =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'text'; readonly block: FormTextBlock }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly { readonly label: string; readonly value: string }[] }
  | {
      readonly kind: 'drawing';
      readonly label: string;
      readonly strokes: readonly (readonly (readonly [x: number, y: number, ms: number])[])[];
      readonly width: number;
      readonly height: number;
    }
  | { readonly kind: 'written'; readonly label: string; readonly text: string }
  | {
      readonly kind: 'photo';
      readonly label: string;
      readonly type: 'image/jpeg' | 'image/png';
      /** Base64. */
      readonly data: string;
    };

export interface SigningDocument {
  readonly title: string;
  /** BCP 47. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** When the signing was received. */
  readonly createdAt: Date;
  readonly blocks: readonly DocumentBlock[];
}
