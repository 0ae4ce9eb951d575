import { randomUUID } from 'node:crypto';
import { exampleForms } from '@waiver-service/forms/examples';
import { makeLink, prepareCheckIn, problem, textAt } from '@waiver-service/testing';
import { afterAll, expect, it } from 'vitest';
import { startSigningHost } from '../setup/signing-host.ts';

const checkIn = await prepareCheckIn(startSigningHost());
afterAll(() => checkIn.close());
const adult = '1990-02-28';
const forms = '/v1/admin/pools/rafting/forms';
const signings = '/check-in/api/signings';

it('a form is edited, refused with all its problems at once, and published', async () => {
  const { admin } = checkIn.host;
  const { body } = await admin('POST', forms, { name: 'Night rafting' });
  const path = `${forms}/${textAt(body, 'id')}`;
  const empty = await admin('POST', `${path}/publish`);
  expect([empty.status, empty.body.code]).toEqual([422, 'form_incomplete']);
  const content = exampleForms[1]?.content;
  const broken = { ...content, pages: [] };
  const draft = await admin('PUT', `${path}/draft`, broken);
  expect(draft.body.problems.length).toBeGreaterThan(0);
  const refused = await admin('POST', `${path}/publish`);
  expect([refused.status, refused.body.problems]).toEqual([422, draft.body.problems]);
  expect((await admin('PUT', `${path}/draft`, content)).body).toMatchObject({ problems: [] });
  const published = await admin('POST', `${path}/publish`);
  expect([published.status, published.body]).toEqual([
    201,
    { version: 1, hash: expect.stringMatching(/^[\da-f]{64}$/) },
  ]);
  expect((await admin('POST', `${path}/publish`)).body).toEqual(published.body);
  expect((await admin('GET', path)).body).toMatchObject({ published: 1, draft: false, problems: [] });
  expect((await admin('GET', `${path}/versions/1`)).body).toMatchObject({ content, publishedBy: 'admin' });
  expect((await admin('DELETE', path)).status).toBe(204);
});

it('a draft that is no form of ours is stored, and its problems named', async () => {
  const { admin } = checkIn.host;
  const { body } = await admin('POST', forms, { name: 'Draft' });
  const path = `${forms}/${textAt(body, 'id')}`;
  const answer = await admin('PUT', `${path}/draft`, { languages: 7, surprise: true });
  expect(answer.status).toBe(200);
  expect(answer.body.problems).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ path: 'languages' }),
      expect.objectContaining({ path: 'surprise' }),
    ]),
  );
  expect((await admin('GET', path)).body.content).toEqual({ languages: 7, surprise: true });
  expect((await admin('PUT', `${path}/draft`, { filling: 'x'.repeat(1024 * 1024) })).status).toBe(413);
});

it('who edits a draft that another person has changed is told so, and overwrites nothing', async () => {
  const { admin } = checkIn.host;
  const { body } = await admin('POST', forms, { name: 'Two at once' });
  const path = `${forms}/${textAt(body, 'id')}`;
  const content = exampleForms[1]?.content;
  const put = (revision: string, days: number) =>
    admin('PUT', `${path}/draft?revision=${revision}`, { ...content, validity: { days } });
  const revision = textAt((await admin('GET', path)).body, 'revision');
  const mine = await put(revision, 10);
  expect(mine.status).toBe(200);
  const theirs = await put(revision, 20);
  expect([theirs.status, theirs.body.code]).toEqual([409, 'draft_changed']);
  const read = await admin('GET', path);
  expect(read.body).toMatchObject({ content: { validity: { days: 10 } }, revision: mine.body.revision });
  // Nor is published what they have not seen.
  expect((await admin('POST', `${path}/publish?revision=${revision}`)).status).toBe(409);
  expect((await admin('POST', `${path}/publish?revision=${mine.body.revision}`)).status).toBe(201);
  expect((await put(mine.body.revision, 30)).status).toBe(409);
  expect((await admin('DELETE', path)).status).toBe(204);
});

it('a draft that is stored as someone types is one entry of the audit log', async () => {
  const { admin } = checkIn.host;
  const { body } = await admin('POST', forms, { name: 'Typed' });
  const id = textAt(body, 'id');
  for (const days of [1, 2, 3]) await admin('PUT', `${forms}/${id}/draft`, { validity: { days } });
  const log = await admin('GET', '/v1/admin/audit?action=form-draft.put&limit=100');
  const entries = log.body.items.filter(({ target }: { target: string }) => target === id);
  expect(entries).toMatchObject([{ status: 200, pool: 'rafting' }]);
  await admin('DELETE', `${forms}/${id}`);
});

it('an id keeps its meaning from version to version', async () => {
  const { admin } = checkIn.host;
  const { body } = await admin('POST', forms, { name: 'Meaning' });
  const path = `${forms}/${textAt(body, 'id')}`;
  const content = JSON.stringify(exampleForms[0]?.content);
  await admin('PUT', `${path}/draft`, JSON.parse(content));
  expect((await admin('POST', `${path}/publish`)).status).toBe(201);
  const changed = JSON.parse(content.replace('"act":"terms"', '"act":"privacy"'));
  const message = expect.stringMatching(/was a consent \(terms\) and is a consent \(privacy\) now/);
  const problems = [{ path: expect.stringMatching(/\.id$/), message }];
  expect((await admin('PUT', `${path}/draft`, changed)).body.problems).toEqual(problems);
  expect((await admin('GET', path)).body.problems).toEqual(problems);
  expect((await admin('POST', `${path}/publish`)).body).toMatchObject({ code: 'form_incomplete', problems });
  await admin('DELETE', path);
});

it('a new version is signed instead of the one that a page was opened with', async () => {
  const { host, app, form } = checkIn;
  const guest = host.as(await makeLink(app, 'rafting', { desk: true }));
  const path = `${forms}/${form.form}`;
  const changed = { ...form.content, validity: { days: 30 } };
  await host.admin('PUT', `${path}/draft`, changed);
  await host.admin('POST', `${path}/publish`);
  const signing = checkIn.signing([adult]);
  const outdated = await guest('POST', signings, signing);
  expect([outdated.status, outdated.body.code, outdated.body.form?.version]).toEqual([
    409,
    'form_changed',
    2,
  ]);
  expect((await guest('POST', signings, { ...signing, version: 2 })).status).toBe(201);
});

it('a pool without a form has nothing to sign, and says nothing of links to its booking system', async () => {
  const { host, system } = checkIn;
  const app = await host.makePool('kayaking');
  const guest = host.as(await makeLink(app, 'kayaking', { desk: true }));
  const { status, body } = await guest('GET', '/check-in/api/session');
  expect([status, body.code]).toEqual([404, 'no_form']);
  await host.connect('standard', system, 'kayaking');
});

it('a booking system that announces a booking gets its link, the same each time', async () => {
  const { host } = checkIn;
  const installed = await host.admin('PUT', '/v1/admin/pools/rafting/installations/standard', {
    accountId: 4711,
    apiKey: 'key-of-the-account',
  });
  const partner = host.as(null);
  const announce = () =>
    partner('POST', '/integration/webhook/standard', {
      id: 'BK-1001',
      pool: 'rafting',
      key: textAt(installed.body, 'apiKey'),
    });
  const first = await announce();
  const link = textAt(first.body, 'bookings', 0, 'web', 'preArrival');
  expect(first.body).toEqual({ success: true, bookings: [{ id: 'BK-1001', web: { preArrival: link } }] });
  expect(link).toMatch(/^http.*\/check-in\/wsg_/);
  expect((await announce()).body).toEqual(first.body);
  const guest = host.as(link.split('/').at(-1) ?? '');
  expect((await guest('GET', '/check-in/api/session')).body.booking.reference).toBe('BK-1001');
});

it('staff get the link of a booking again and again, until it is withdrawn', async () => {
  const { host } = checkIn;
  const path = '/v1/admin/pools/rafting/bookings/BK-1003/check-in-link';
  await host.admin('GET', '/v1/pools/rafting/bookings/BK-1003');
  const first = await host.admin('POST', path);
  expect([first.status, first.body]).toEqual([
    200,
    { url: expect.stringMatching(/\/check-in\/wsg_/), expiresAt: expect.stringMatching(/Z$/) },
  ]);
  expect((await host.admin('POST', `${path}?bookingSystem=standard`)).body).toEqual(first.body);
  const guest = host.as(textAt(first.body, 'url').split('/').at(-1) ?? '');
  expect((await guest('GET', '/check-in/api/session')).body.booking.reference).toBe('BK-1003');

  const links = '/v1/pools/rafting/check-in-links';
  const { body: listed } = await host.admin('GET', `${links}?bookingId=BK-1003`);
  expect(listed.items).toMatchObject([{ desk: false, createdBy: 'booking-system:standard' }]);
  await host.admin('DELETE', `${links}/${textAt(listed, 'items', 0, 'id')}`);
  const withdrawn = await host.admin('POST', path);
  expect([withdrawn.status, withdrawn.body.code]).toEqual([409, 'link_revoked']);
  await makeLink(host.admin, 'rafting', { desk: true });
  const { body: desks } = await host.admin('GET', `${links}?desk=true`);
  expect(desks.items.length).toBeGreaterThan(0);
  expect(desks.items.every((link: { bookingId: unknown }) => link.bookingId === null)).toBe(true);
});

it('a booking’s link needs an installed system, a form, and an operator of the pool', async () => {
  const { host, app, system } = checkIn;
  const pathOf = (pool: string) => `/v1/admin/pools/${pool}/bookings/BK-1001/check-in-link`;
  await host.makePool('bare');
  expect(await host.admin('POST', pathOf('bare'))).toMatchObject(problem(424, 'not_installed'));
  expect(await host.admin('POST', `${pathOf('bare')}?bookingSystem=octo`)).toMatchObject(
    problem(424, 'not_installed'),
  );
  expect(await host.admin('POST', `${pathOf('bare')}?bookingSystem=none`)).toMatchObject(
    problem(400, 'malformed'),
  );
  await host.connect('standard', system, 'bare');
  expect(await host.admin('POST', pathOf('bare'))).toMatchObject(problem(409, 'no_form'));
  const long = 'B'.repeat(300);
  expect((await host.admin('POST', pathOf('bare').replace('BK-1001', long))).status).toBe(400);
  expect(await host.admin('POST', pathOf('no-such-pool'))).toMatchObject(problem(404, 'unknown_pool'));
  expect(await app('POST', pathOf('rafting'))).toMatchObject(problem(403, 'forbidden'));
  const { body } = await host.admin('POST', '/v1/admin/credentials', {
    name: 'Olga',
    role: 'operator',
    pools: ['bare'],
  });
  const other = host.as(textAt(body, 'token'));
  expect(await other('POST', pathOf('rafting'))).toMatchObject(problem(403, 'forbidden'));
});

it('a finished page is stored, and no booking system is told of it before its guest signs', async () => {
  const { host, app, form, system } = checkIn;
  const guest = host.as(await makeLink(app, 'rafting', { bookingId: 'BK-1002' }));
  await guest('GET', '/check-in/api/session');
  const signing = checkIn.signing([adult], { bookingGuestIds: ['G-1'], version: 2 });
  const { id, guests, signer, language } = signing;
  const page = form.content.pages[0]?.id;
  const body = { form: form.form, version: 2, language, guests, signer, page };
  expect((await guest('PUT', `${signings}/${id}/page`, body)).status).toBe(204);
  const { body: record } = await app('GET', `/v1/pools/rafting/waivers/${id}-1`);
  expect(record).toMatchObject({ currentPage: page, bookingGuestId: 'G-1', answers: { name: 'Zoë Bäcker' } });
  expect((await guest('PUT', `${signings}/${id}/page`, { ...body, page: 'none' })).status).toBe(400);
  const left = [randomUUID(), randomUUID()];
  for (const other of left) {
    expect((await guest('PUT', `${signings}/${other}/page`, body)).status).toBe(204);
  }
  const another = host.as(await makeLink(app, 'rafting', { bookingId: 'BK-1002' }));
  const rewritten = await another('PUT', `${signings}/${id}/page`, body);
  expect([rewritten.status, rewritten.body.code]).toEqual([409, 'signing_exists']);
  expect((await guest('POST', signings, signing)).status).toBe(201);
  await expect.poll(() => system.waivers.get(`${id}-1`)).toMatchObject({ deleted: false });
  const told = system.received.filter(({ path }) => path.includes('BK-1002'));
  expect(told.filter(({ method }) => method === 'POST')).toHaveLength(1);
  for (const other of left) {
    expect((await app('GET', `/v1/pools/rafting/waivers/${other}-1`)).body.deleted).toBe(true);
  }
});
