import { maxSignedDocumentBytes, type Warning } from '@waiver-service/core';
import type { EvidenceFile } from '@waiver-service/evidence';
import { HttpProblem } from '@waiver-service/http';
import { expect, test } from 'vitest';
import { signedDocumentOf } from '../src/documents/signed-document.ts';
import { sampleEvidence, samples } from '../src/testing/index.ts';

const file = sampleEvidence(samples.english ?? expect.fail('no sample'));
const waiver = { pool: 'p1', waiverId: 'w1' };

/** Makes the document of a waiver; prints it as this says. */
async function made(evidence: EvidenceFile | undefined, print: () => Promise<Buffer>) {
  const warnings: Warning[] = [];
  const signings = {
    evidence: async () => evidence && { signing: 's1', poolName: 'Rafting', file: evidence },
  };
  const pdf = await signedDocumentOf(signings, waiver, (warning) => warnings.push(warning), print)();
  return { pdf, messages: warnings.map(({ message }) => message) };
}
const bytes = (count: number) => async () => Buffer.alloc(count);

test('is given up to its limit, and left out beyond it with a warning', async () => {
  const most = await made(file, bytes(maxSignedDocumentBytes));
  expect([most.pdf?.byteLength, most.messages]).toEqual([maxSignedDocumentBytes, []]);
  const more = await made(file, bytes(maxSignedDocumentBytes + 1));
  expect(more).toEqual({ pdf: undefined, messages: [expect.stringContaining('4194305 bytes')] });
});

test('is left out where it is erased or cannot be made, with a warning, and where nothing was signed here', async () => {
  const parts = file.record.parts.map(({ name, hash }) => ({ name, hash }));
  const erased = { ...file, record: { ...file.record, parts } };
  expect((await made(erased, bytes(1))).messages).toEqual([expect.stringContaining('erased')]);
  const failed = await made(file, () => Promise.reject(new Error('no font')));
  expect(failed.messages).toEqual([expect.stringContaining('could not be made')]);
  expect(await made(undefined, bytes(1))).toEqual({ pdf: undefined, messages: [] });
});

test('waits without an attempt while others are made', async () => {
  const busy = () => Promise.reject(new HttpProblem(503, 'too_many_documents', 'busy'));
  await expect(made(file, busy)).rejects.toMatchObject({ notSent: true, retryAfterMs: 2_000 });
});
