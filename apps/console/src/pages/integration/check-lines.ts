export interface CheckedClause {
  readonly type: 'clause';
  readonly id: string;
  readonly section: string;
  readonly title: string;
  /** Null if it was not checked. */
  readonly holds: boolean | null;
  readonly found?: string;
  readonly change?: string;
  readonly because?: string;
  readonly request?: string;
  readonly answer?: string;
}

export interface CheckEnd {
  readonly type: 'end';
  readonly ok: boolean;
  readonly held: number;
  readonly failed: number;
  readonly notChecked: number;
}

type CheckLine = CheckedClause | CheckEnd;

const isLine = (value: unknown): value is CheckLine =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (value.type === 'clause' || value.type === 'end');

/** Reads the lines of a check as they arrive. */
export async function* readCheckLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<CheckLine> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const read: unknown = JSON.parse(line);
      if (isLine(read)) yield read;
    }
    if (done) return;
  }
}
