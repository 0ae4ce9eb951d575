import { createHash } from 'node:crypto';
import {
  archiveForm,
  createForm,
  listForms,
  listFormVersions,
  publishForm,
  putFormDraft,
  readForm,
  readFormVersion,
} from '@waiver-service/api';
import { canonicalText } from '@waiver-service/evidence';
import { type FormContent, formContentSchema, formProblems } from '@waiver-service/forms';
import {
  type HostApp,
  HttpProblem,
  pageOf,
  personOf,
  problemDetails,
  type RouteModule,
} from '@waiver-service/http';
import { requirePool } from '@waiver-service/integration';
import type { FastifyReply } from 'fastify';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { type Form, type FormSummary, type Forms, TooManyForms } from '../data/forms.ts';
import { SigningStore } from '../data/signing-store.ts';
import { publishedContents, publishedForm } from './published-forms.ts';

const summaryAnswer = ({ hasDraft, ...form }: FormSummary) => ({ ...form, draft: hasDraft });

const formNotFound = () => new HttpProblem(404, 'form_not_found', 'This pool has no form with this id.');

const versionNotFound = () =>
  new HttpProblem(404, 'version_not_found', 'This form has no version with this number.');

const tooManyForms = (message: string) => new HttpProblem(409, 'too_many_forms', `${message}: archive one.`);

const draftChanged = () =>
  new HttpProblem(409, 'draft_changed', 'The draft was changed or published meanwhile: read the form again.');

/** Identifies the current draft and the version that it follows. */
const revisionOf = ({ published, draft }: Pick<Form, 'published' | 'draft'>): string =>
  createHash('sha256')
    .update(JSON.stringify([published, draft]))
    .digest('base64url')
    .slice(0, 22);

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

/** The forms that a pool's guests sign. */
@injectable()
export class FormRoutes implements RouteModule {
  constructor(@inject(SigningStore) readonly store: SigningStore) {}

  addRoutes(app: HostApp): void {
    const { forms } = this.store;

    async function requireForm(pool: string, id: string): Promise<Form> {
      const form = await forms.get(pool, id);
      if (form === undefined) throw formNotFound();
      return form;
    }

    app.route({
      ...createForm,
      handler: async ({ params: { pool }, body }, reply) => {
        await requirePool(this, pool);
        const { id, name } = await forms.create(pool, body.name).catch((error: unknown) => {
          throw error instanceof TooManyForms ? tooManyForms(error.message) : error;
        });
        return reply.code(201).send({ id, name });
      },
    });

    app.route({
      ...listForms,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOf(forms.list(pool, query), summaryAnswer);
      },
    });

    app.route({
      ...readForm,
      handler: async ({ params: { pool, form: id } }) => {
        const form = await requireForm(pool, id);
        const newest = form.published === null ? undefined : await forms.version(pool, id, form.published);
        const text = form.draft ?? newest?.content;
        const content: unknown = text === undefined ? null : JSON.parse(text);
        const { problems } =
          content === null ? { problems: [] } : await readDraft(forms, pool, form, content);
        return {
          ...summaryAnswer(form),
          content: content === null ? null : z.looseObject({}).parse(content),
          problems: [...problems],
          revision: revisionOf(form),
        };
      },
    });

    app.route({
      ...putFormDraft,
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
      ...publishForm,
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
      ...listFormVersions,
      handler: async ({ params: { pool, form }, query }) => {
        await requireForm(pool, form);
        return pageOf(forms.versions(pool, form, query), ({ formName: _, ...version }) => version);
      },
    });

    app.route({
      ...readFormVersion,
      handler: async ({ params: { pool, form, version: number } }) => {
        const found = await forms.version(pool, form, number);
        if (found === undefined) throw versionNotFound();
        const { formName: name, ...version } = found;
        return { ...version, name, content: { ...publishedForm(found).content } };
      },
    });

    app.route({
      ...archiveForm,
      handler: async ({ params: { pool, form } }, reply) => {
        if (!(await forms.archive(pool, form))) throw formNotFound();
        return reply.code(204).send(null);
      },
    });
  }
}
