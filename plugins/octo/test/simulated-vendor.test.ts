import { expect, onTestFinished, test } from 'vitest';
import { type OctoOptions, octoBooking, startOcto } from '../simulator/index.ts';

const { uuid, unitItems } = octoBooking;
const [first, second] = unitItems.map((item) => ({ uuid: item.uuid, unitId: item.unitId }));

async function started(options: Partial<OctoOptions> = {}) {
  const system = await startOcto({ apiKey: 'key-1', ...options });
  onTestFinished(() => system.close());
  const usual = { authorization: 'Bearer key-1', 'octo-capabilities': 'octo/waivers' };
  async function ask(method: string, path: string, body?: unknown, headers: object = usual) {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${system.url}${path}`, { method, headers: { ...headers }, ...sent });
    return { status: response.status, body: Object(await response.json()) };
  }
  return { system, ask };
}

test('every refusal is a 400 with a code', async () => {
  const { ask } = await started({ env: 'test' });
  const refusals = [
    await ask('GET', `/bookings/${uuid}`, undefined, { 'octo-capabilities': '' }),
    await ask('GET', `/bookings/${uuid}`, undefined, { authorization: 'Bearer key-1' }),
    await ask('GET', `/bookings/${uuid}`),
    await ask('GET', '/products/none'),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(refusals.map(({ body }) => body.error)).toEqual([
    'UNAUTHORIZED',
    'BAD_REQUEST',
    'INVALID_BOOKING_UUID',
    'INVALID_PRODUCT_ID',
  ]);
});

test('a change of the notes changes nothing else', async () => {
  const { system, ask } = await started();
  await ask('PATCH', `/bookings/${uuid}`, { notes: 'kept' });
  expect(system.bookings.get(uuid)).toEqual({ ...octoBooking, notes: 'kept' });
});

test('a PATCH with unit items reissues every ticket, and removes those it omits', async () => {
  const { system, ask } = await started();
  const whole = unitItems.map((item) => ({
    uuid: item.uuid,
    unitId: item.unitId,
    resellerReference: item.resellerReference,
  }));
  await ask('PATCH', `/bookings/${uuid}`, { unitItems: whole });
  const issued = system.bookings.get(uuid)?.unitItems.map((item) => item.supplierReference) ?? [];
  expect(new Set([...issued, ...unitItems.map((item) => item.supplierReference)]).size).toBe(4);
  const reissued = unitItems.map((item) => ({ ...item, supplierReference: expect.any(String) }));
  expect(system.bookings.get(uuid)).toEqual({ ...octoBooking, unitItems: reissued });
  const { body } = await ask('PATCH', `/bookings/${uuid}`, { unitItems: [second] });
  expect(body.unitItems).toMatchObject([{ ...second, resellerReference: null }]);
  for (const wrong of [[first], []]) {
    const { body: refused } = await ask('PATCH', `/bookings/${uuid}`, { unitItems: wrong });
    expect(refused.error).toBe('UNPROCESSABLE_ENTITY');
  }
});

test('a booking that is not cancellable accepts no change', async () => {
  const { system, ask } = await started({ bookings: [{ ...octoBooking, cancellable: false }] });
  for (const change of [
    { notes: 'x' },
    { contact: {} },
    { unitItems: [{ ...first, contact: {} }, second] },
    { waiverId: 'wv', waiverFieldValues: [] },
  ]) {
    expect((await ask('PATCH', `/bookings/${uuid}`, change)).body.error).toBe('UNPROCESSABLE_ENTITY');
  }
  expect(system.bookings.get(uuid)?.notes).toBe(octoBooking.notes);
});

test('a waiver in the wrong place, or an unknown one, is refused; one that is not sent again is dropped', async () => {
  const fields = [{ id: 'f', internalName: 'Full Name', required: true, inputType: 'text' }];
  const product = { id: 'kayak', waivers: [{ id: 'wv', fields }] };
  const filled = { waiverId: 'wv', waiverFieldValues: [{ fieldId: 'f', value: 'Ana' }] };
  const inBooking = { ...filled, unitItems: [first, second] };
  const inItem = { unitItems: [first, { ...second, ...filled }] };

  const perUnit = await started({ products: [{ ...product, waiverPer: 'UNIT' }] });
  const { body: wrong } = await perUnit.ask('PATCH', `/bookings/${uuid}`, inBooking);
  expect(wrong.error).toBe('WAIVER_ON_TICKET_ONLY');
  const { body: right } = await perUnit.ask('PATCH', `/bookings/${uuid}`, inItem);
  expect(right).toMatchObject({
    waiversComplete: false,
    unitItems: [{ waiversComplete: false }, { waiversComplete: true }],
  });
  const { body: dropped } = await perUnit.ask('PATCH', `/bookings/${uuid}`, { unitItems: [first, second] });
  expect(dropped.unitItems).toMatchObject([{ waiversComplete: false }, { waiversComplete: false }]);
  const other = { unitItems: [first, { ...second, ...filled, waiverId: 'other' }] };
  expect((await perUnit.ask('PATCH', `/bookings/${uuid}`, other)).body.error).toBe('INVALID_WAIVER_ID');

  const perBooking = await started({ products: [{ ...product, waiverPer: 'BOOKING' }] });
  expect((await perBooking.ask('PATCH', `/bookings/${uuid}`, inItem)).body.error).toBe(
    'WAIVER_ON_BOOKING_ONLY',
  );
  expect((await perBooking.ask('PATCH', `/bookings/${uuid}`, inBooking)).body.waiversComplete).toBe(true);
});

test('a file is a PDF as data URI in a waiver, and goes with a waiver that is sent again without it', async () => {
  const product = { id: 'kayak', waiverPer: 'BOOKING' as const, waivers: [{ id: 'wv', fields: [] }] };
  const { system, ask } = await started({ products: [product] });
  const filled = { waiverId: 'wv', waiverFieldValues: [] };
  const patch = async (body: object) => (await ask('PATCH', `/bookings/${uuid}`, body)).body;
  const dataUri = (bytes: string, type = 'application/pdf') =>
    `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
  const pdf = dataUri('%PDF-1.7 x');
  for (const waiverFile of [
    dataUri('%PDF-1.7', 'text/plain'),
    dataUri('no PDF'),
    `${pdf} `,
    pdf.slice(0, -1),
    'https://files.example/waiver.pdf',
    dataUri(`%PDF-${'x'.repeat(5 * 1024 * 1024)}`),
    7,
  ])
    expect((await patch({ ...filled, waiverFile })).error).toBe('BAD_REQUEST');
  expect((await patch({ waiverFile: pdf })).error).toBe('INVALID_WAIVER_ID');
  expect((await patch({ ...filled, waiverFile: pdf })).waiverFileUrl).toContain(uuid);
  expect(system.waiverFile(uuid)?.toString()).toBe('%PDF-1.7 x');
  expect((await patch({ notes: 'x' })).waiverFileUrl).toContain(uuid);
  expect((await patch(filled)).waiverFileUrl).toBeNull();
});
