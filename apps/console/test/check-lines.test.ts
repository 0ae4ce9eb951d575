import { expect, test } from 'vitest';
import { readCheckLines } from '../src/pages/integration/check-lines.ts';

test('lines are read whole, wherever the stream is cut, and others are left out', async () => {
  const text = `${JSON.stringify({ type: 'clause', id: 'read/…', title: 'é' })}\n{"type":"other"}\n{"type":"end","ok":true}\n`;
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size < 9; size += 1) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const read: unknown[] = [];
    for await (const line of readCheckLines(stream)) read.push(line);
    expect(read).toMatchObject([
      { id: 'read/…', title: 'é' },
      { type: 'end', ok: true },
    ]);
  }
});
