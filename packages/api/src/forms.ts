import { z } from 'zod';
import { dateTimeSchema, fieldProblemSchema, noContentSchema, pagesOf } from './fields.ts';
import { route } from './route.ts';

const formSchema = z
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

const formProblemsSchema = z.array(fieldProblemSchema);

const formVersionFields = {
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

const revisionSchema = z
  .string()
  .describe(
    'The revision of the draft. It changes when a different draft is stored or a version is published.',
  );

const revisionQuerySchema = z.strictObject({
  revision: z
    .string()
    .max(100)
    .optional()
    .describe(
      'The revision that the caller last read. If it is no longer current, the request fails with `409 draft_changed`.',
    ),
});

export const createForm = route.post('/v1/admin/pools/:pool/forms', {
  config: {
    access: 'operator',
    problems: { 409: 'The pool already has 100 forms that are not archived (`too_many_forms`).' },
  },
  operationId: 'createForm',
  summary: 'Create a form',
  body: z.strictObject({ name: z.string().min(1).max(200) }),
  response: { 201: z.object({ id: z.string(), name: z.string() }) },
});

export const listForms = route.get('/v1/admin/pools/:pool/forms', {
  config: { access: 'viewer' },
  operationId: 'listForms',
  summary: 'List the forms of a pool',
  ...pagesOf(formSchema),
});

export const readForm = route.get('/v1/admin/pools/:pool/forms/:form', {
  config: { access: 'viewer' },
  operationId: 'readForm',
  summary: 'Read a form, its draft and the problems that prevent publishing it',
  response: {
    200: formSchema.extend({
      content: draftSchema
        .nullable()
        .describe('The draft, or the newest version if there is no draft; null if there is neither.'),
      problems: formProblemsSchema,
      revision: revisionSchema,
    }),
  },
});

export const putFormDraft = route.put('/v1/admin/pools/:pool/forms/:form/draft', {
  config: {
    access: 'operator',
    // The console saves it while someone types.
    audited: 'once-a-minute',
    problems: { 409: 'The draft has changed since `revision` was read (`draft_changed`).' },
  },
  bodyLimit: maxDraftBytes,
  operationId: 'putFormDraft',
  summary: 'Store the draft of the next version',
  description:
    'Stores the draft even if it is incomplete, and returns the problems that prevent publishing it.',
  querystring: revisionQuerySchema,
  body: draftSchema,
  response: { 200: z.object({ problems: formProblemsSchema, revision: revisionSchema }) },
});

export const publishForm = route.post('/v1/admin/pools/:pool/forms/:form/publish', {
  config: {
    access: 'operator',
    problems: { 409: 'The draft has changed in the meantime (`draft_changed`).' },
  },
  operationId: 'publishForm',
  summary: 'Publish the draft as the next version, which never changes',
  querystring: revisionQuerySchema,
  response: {
    201: z.object({ version: z.int(), hash: z.string() }),
    422: z.object({
      success: z.literal(false),
      code: z.literal('form_incomplete'),
      message: z.string(),
      problems: formProblemsSchema,
    }),
  },
});

export const listFormVersions = route.get('/v1/admin/pools/:pool/forms/:form/versions', {
  config: { access: 'viewer' },
  operationId: 'listFormVersions',
  summary: 'List the versions of a form, newest first',
  ...pagesOf(z.object(formVersionFields)),
});

/** A form as it was published. Its content is described by `FormContent`. */
export const publishedFormSchema = z
  .object({
    form: z.string(),
    name: z.string(),
    version: z.int(),
    hash: z.string().describe('SHA-256 of the content, in hexadecimal.'),
    content: z
      .looseObject({})
      .describe('The content of the form, as published. See docs/forms.md for its format.'),
  })
  .meta({ id: 'PublishedForm' });

export const readFormVersion = route.get('/v1/admin/pools/:pool/forms/:form/versions/:version', {
  config: { access: 'viewer' },
  operationId: 'readFormVersion',
  summary: 'Read a published version of a form',
  response: { 200: publishedFormSchema.extend(formVersionFields) },
});

export const archiveForm = route.delete('/v1/admin/pools/:pool/forms/:form', {
  config: { access: 'operator' },
  operationId: 'archiveForm',
  summary: 'Archive a form, so that guests are no longer offered it',
  description: 'Published versions are kept as a record of what was signed. The draft is discarded.',
  response: { 204: noContentSchema },
});
