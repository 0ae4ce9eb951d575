import { createHash } from 'node:crypto';
import { poolIdSchema } from '@waiver-service/core';
import { canonicalText } from '@waiver-service/evidence';
import { type FormContent, formContentSchema, formProblems } from '@waiver-service/forms';
import { type Form, type FormSummary, type Forms, TooManyForms } from '@waiver-service/store';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { personOf } from '../../authentication/caller.ts';
import { publishedFormSchema } from '../../check-in/check-in-session.ts';
import { publishedContents, publishedForm } from '../../check-in/published-forms.ts';
import { dateTimeSchema } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { problemDetails } from '../../http/validation.ts';
import { poolPathSchema, requirePool } from '../admin-paths.ts';
import { noContentSchema } from '../no-content.ts';

const formPathSchema = z.object({ pool: poolIdSchema, form: z.string().min(1).max(100) });
const versionPathSchema = formPathSchema.extend({
  version: z.coerce.number().int().min(1).max(1_000_000_000),
});

const summarySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    published: z
      .int()
      .nullable()
      .describe('The number of the newest published version; null if there is none.'),
    draft: z.boolean().describe('Whether there is an unpublished draft.'),
    archivedAt: dateTimeSchema.nullable(),
  })
  .meta({ id: 'Form' });

const problemsSchema = z.array(z.object({ path: z.string(), message: z.string() }));

const versionFields = {
  form: z.string(),
  version: z.int(),
  hash: z.string().describe('SHA-256 of the content, in hexadecimal.'),
  publishedBy: z.string(),
  publishedAt: dateTimeSchema,
};

/** A draft may be incomplete: only its size is limited, and it must be JSON. */
const draftSchema = z
  .looseObject({})
  .describe('The content of a form version, in the shape of FormContent but possibly incomplete.');

const maxDraftBytes = 1024 * 1024;

const summaryAnswer = ({ hasDraft, ...form }: FormSummary) => ({ ...form, draft: hasDraft });

const formNotFound = () => new HttpProblem(404, 'form_not_found', 'This pool has no form with this id.');

const versionNotFound = () =>
  new HttpProblem(404, 'version_not_found', 'This form has no version with this number.');

const tooManyForms = (message: string) => new HttpProblem(409, 'too_many_forms', `${message}: archive one.`);

const draftChanged = () =>
  new HttpProblem(409, 'draft_changed', 'The draft was changed or published meanwhile: read the form again.');

const revisionSchema = z
  .string()
  .describe(
    'The revision of the draft. It changes when a different draft is stored or a version is published.',
  );

/** Identifies the current draft and the version that it follows. */
const revisionOf = ({ published, draft }: Pick<Form, 'published' | 'draft'>): string =>
  createHash('sha256')
    .update(JSON.stringify([published, draft]))
    .digest('base64url')
    .slice(0, 22);

const revisionQuerySchema = z.strictObject({
  revision: z
    .string()
    .max(100)
    .optional()
    .describe(
      'The revision that the caller last read. If it is no longer current, the request fails with `409 draft_changed`.',
    ),
});

/** @throws HttpProblem 409 if the draft is not the one that the caller read */
function requireRevision(form: Form, revision: string | undefined): void {
  if (revision !== undefined && revision !== revisionOf(form)) throw draftChanged();
}

interface ReadDraft {
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  /** Undefined if the draft does not have the shape of a version. */
  readonly content: FormContent | undefined;
}

/** The content of a draft, unless its shape is wrong, and all problems that keep it from being published. */
async function readDraft(forms: Forms, pool: string, form: FormSummary, draft: unknown): Promise<ReadDraft> {
  const { data, error } = formContentSchema.safeParse(draft);
  if (data === undefined) return { problems: problemDetails(error), content: undefined };
  return { problems: formProblems(data, await publishedContents(forms, pool, form)), content: data };
}

const url = '/v1/admin/pools/:pool/forms';

/** The forms that a pool's guests sign. */
export const formRoutes: RouteModule = (app, services) => {
  const { forms } = services.store;

  async function requireForm(pool: string, id: string): Promise<Form> {
    const form = await forms.get(pool, id);
    if (form === undefined) throw formNotFound();
    return form;
  }

  app.route({
    config: {
      access: 'operator',
      problems: { 409: 'The pool already has 100 forms that are not archived (`too_many_forms`).' },
    },
    method: 'POST',
    url,
    schema: {
      operationId: 'createForm',
      summary: 'Create a form',
      params: poolPathSchema,
      body: z.strictObject({ name: z.string().min(1).max(200) }),
      response: { 201: z.object({ id: z.string(), name: z.string() }) },
    },
    handler: async ({ params: { pool }, body }, reply) => {
      await requirePool(services, pool);
      const { id, name } = await forms.create(pool, body.name).catch((error: unknown) => {
        throw error instanceof TooManyForms ? tooManyForms(error.message) : error;
      });
      return reply.code(201).send({ id, name });
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listForms',
      summary: 'List the forms of a pool',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(summarySchema) },
    },
    handler: async ({ params: { pool }, query }) => {
      await requirePool(services, pool);
      return pageOf(forms.list(pool, query), summaryAnswer);
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url: `${url}/:form`,
    schema: {
      operationId: 'readForm',
      summary: 'Read a form, its draft and the problems that prevent publishing it',
      params: formPathSchema,
      response: {
        200: summarySchema.extend({
          content: draftSchema
            .nullable()
            .describe('The draft, or the newest version if there is no draft; null if there is neither.'),
          problems: problemsSchema,
          revision: revisionSchema,
        }),
      },
    },
    handler: async ({ params: { pool, form: id } }) => {
      const form = await requireForm(pool, id);
      const newest = form.published === null ? undefined : await forms.version(pool, id, form.published);
      const text = form.draft ?? newest?.content;
      const content: unknown = text === undefined ? null : JSON.parse(text);
      const { problems } = content === null ? { problems: [] } : await readDraft(forms, pool, form, content);
      return {
        ...summaryAnswer(form),
        content: content === null ? null : z.looseObject({}).parse(content),
        problems: [...problems],
        revision: revisionOf(form),
      };
    },
  });

  app.route({
    config: {
      access: 'operator',
      // The console saves it while someone types.
      audited: 'once-a-minute',
      problems: { 409: 'The draft has changed since `revision` was read (`draft_changed`).' },
    },
    method: 'PUT',
    url: `${url}/:form/draft`,
    bodyLimit: maxDraftBytes,
    schema: {
      operationId: 'putFormDraft',
      summary: 'Store the draft of the next version',
      description:
        'Stores the draft even if it is incomplete, and returns the problems that prevent publishing it.',
      params: formPathSchema,
      querystring: revisionQuerySchema,
      body: draftSchema,
      response: { 200: z.object({ problems: problemsSchema, revision: revisionSchema }) },
    },
    handler: async ({ params: { pool, form: id }, query: { revision }, body }) => {
      const form = await requireForm(pool, id);
      if (form.archivedAt !== null) throw formNotFound();
      requireRevision(form, revision);
      const draft = JSON.stringify(body);
      const former = revision === undefined ? undefined : form;
      if (!(await forms.putDraft(pool, id, draft, former))) throw draftChanged();
      const { problems } = await readDraft(forms, pool, form, body);
      return { problems: [...problems], revision: revisionOf({ ...form, draft }) };
    },
  });

  const incomplete = (reply: FastifyReply, problems: ReadDraft['problems']) =>
    reply.code(422).send({
      success: false,
      code: 'form_incomplete',
      message: `The form cannot be published: ${problems.length} problems.`,
      problems: [...problems],
    });

  app.route({
    config: {
      access: 'operator',
      problems: { 409: 'The draft has changed in the meantime (`draft_changed`).' },
    },
    method: 'POST',
    url: `${url}/:form/publish`,
    schema: {
      operationId: 'publishForm',
      summary: 'Publish the draft as the next version, which never changes',
      params: formPathSchema,
      querystring: revisionQuerySchema,
      response: {
        201: z.object({ version: z.int(), hash: z.string() }),
        422: z.object({
          success: z.literal(false),
          code: z.literal('form_incomplete'),
          message: z.string(),
          problems: problemsSchema,
        }),
      },
    },
    handler: async ({ params: { pool, form: id }, query: { revision }, caller }, reply) => {
      const form = await requireForm(pool, id);
      requireRevision(form, revision);
      const { draft, published } = form;
      // A repeated request: already published.
      const newest = published === null ? undefined : await forms.version(pool, id, published);
      if (draft === null && newest !== undefined)
        return reply.code(201).send({ version: newest.version, hash: newest.hash });
      if (draft === null) return incomplete(reply, [{ path: '', message: 'the form has no content yet' }]);
      const { problems, content } = await readDraft(forms, pool, form, JSON.parse(draft));
      if (content === undefined || problems.length > 0) return incomplete(reply, problems);
      const text = canonicalText(content);
      const hash = createHash('sha256').update(text).digest('hex');
      const publishedBy = personOf(caller).name;
      const version = await forms.publish(pool, id, { draft, content: text, hash, publishedBy });
      if (version === undefined) throw draftChanged();
      return reply.code(201).send({ version, hash });
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url: `${url}/:form/versions`,
    schema: {
      operationId: 'listFormVersions',
      summary: 'List the versions of a form, newest first',
      params: formPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(z.object(versionFields)) },
    },
    handler: async ({ params: { pool, form }, query }) => {
      await requireForm(pool, form);
      return pageOf(forms.versions(pool, form, query), ({ formName: _, ...version }) => version);
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url: `${url}/:form/versions/:version`,
    schema: {
      operationId: 'readFormVersion',
      summary: 'Read a published version of a form',
      params: versionPathSchema,
      response: { 200: publishedFormSchema.extend(versionFields) },
    },
    handler: async ({ params: { pool, form, version: number } }) => {
      const found = await forms.version(pool, form, number);
      if (found === undefined) throw versionNotFound();
      const { formName: name, ...version } = found;
      return { ...version, name, content: { ...publishedForm(found).content } };
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'DELETE',
    url: `${url}/:form`,
    schema: {
      operationId: 'archiveForm',
      summary: 'Archive a form, so that guests are no longer offered it',
      description: 'Published versions are kept as a record of what was signed. The draft is discarded.',
      params: formPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { pool, form } }, reply) => {
      if (!(await forms.archive(pool, form))) throw formNotFound();
      return reply.code(204).send(null);
    },
  });
};
