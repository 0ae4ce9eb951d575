import type { FormContent, FormProblem } from '@waiver-service/forms';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { isProblem } from '../../api/problem.ts';
import { dataOf } from '../../api/queries.ts';
import type { FormDetail } from '../../api/resources.ts';

/**
 * `waiting` until the typing pauses, then `saving`, then `saved` or one of: `failed`, which is tried again, and
 * `conflict`, since somebody else has stored another draft, which ends by {@link FormDraft.keepMine} or by reading theirs.
 */
export type SavingState = 'saved' | 'waiting' | 'saving' | 'failed' | 'conflict';

/** A draft that is stored as it is edited. */
export interface FormDraft {
  readonly content: FormContent;
  readonly change: (update: (content: FormContent) => FormContent) => void;
  /** Problems that keep the draft from being published, as of when it was last stored. */
  readonly checked: { readonly content: FormContent; readonly problems: readonly FormProblem[] };
  readonly saving: SavingState;
  /** Whether it differs from the newest version. */
  readonly isEdited: boolean;
  readonly error: Error | null;
  /** Whether anything is not stored. */
  readonly hasUnsaved: () => boolean;
  /** Stores what is not stored. @returns the revision; undefined if that failed */
  readonly flush: () => Promise<string | undefined>;
  /** Stores this draft in place of the one that somebody else has stored. */
  readonly keepMine: () => Promise<void>;
  /** Goes on from the version that was just published. */
  readonly afterPublishing: () => Promise<void>;
  /** Drops what is not stored. */
  readonly drop: () => void;
}

interface Unsaved {
  readonly content: FormContent;
  readonly revision: string;
}

// Changes that could not be stored outlive their page: a session may end while someone types.
const unsavedByForm = new Map<string, Unsaved>();

const saveDelayMs = 700;
const retryDelayMs = 5_000;

export function useDraft(pool: string, form: FormDetail, stored: FormContent): FormDraft {
  const key = `${pool} ${form.id}`;
  const [initial] = useState<Unsaved>(
    () => unsavedByForm.get(key) ?? { content: stored, revision: form.revision },
  );
  const [content, setContent] = useState(initial.content);
  const [checked, setChecked] = useState({ content: stored, problems: form.problems });
  const [saving, setSaving] = useState<SavingState>(initial.content === stored ? 'saved' : 'waiting');
  const [error, setError] = useState<Error | null>(null);
  const [published, setPublished] = useState(form.draft ? undefined : stored);
  const latest = useRef(content);
  const saved = useRef(stored);
  const revision = useRef(initial.revision);
  const underWay = useRef<Promise<string | undefined>>(undefined);

  /** Goes on from a stored draft; a page that begins with what is not stored does so too, and causes no conflict. */
  function continueFrom(newest: string): void {
    revision.current = newest;
    if (latest.current !== saved.current)
      unsavedByForm.set(key, { content: latest.current, revision: newest });
  }
  function fail(problem: unknown): void {
    const failure = problem instanceof Error ? problem : new Error(String(problem));
    setError(failure);
    setSaving(isProblem(failure, 'draft_changed') ? 'conflict' : 'failed');
  }
  async function store(): Promise<string | undefined> {
    while (latest.current !== saved.current) {
      const sent = latest.current;
      setSaving('saving');
      try {
        const answer = await dataOf(
          api.PUT('/v1/admin/pools/{pool}/forms/{form}/draft', {
            params: { path: { pool, form: form.id }, query: { revision: revision.current } },
            body: { ...sent },
          }),
        );
        saved.current = sent;
        continueFrom(answer.revision);
        setChecked({ content: sent, problems: answer.problems });
      } catch (problem) {
        fail(problem);
        return undefined;
      }
    }
    unsavedByForm.delete(key);
    setError(null);
    setSaving('saved');
    return revision.current;
  }
  const read = () =>
    dataOf(api.GET('/v1/admin/pools/{pool}/forms/{form}', { params: { path: { pool, form: form.id } } }));
  const flush = () => {
    underWay.current ??= store().finally(() => {
      underWay.current = undefined;
    });
    return underWay.current;
  };

  useEffect(() => {
    if (content === saved.current || saving === 'conflict' || saving === 'saving') return;
    const timer = setTimeout(flush, saving === 'failed' ? retryDelayMs : saveDelayMs);
    return () => clearTimeout(timer);
  }, [content, saving]);

  return {
    content,
    change(update) {
      const next = update(latest.current);
      if (next === latest.current) return;
      latest.current = next;
      unsavedByForm.set(key, { content: next, revision: revision.current });
      setContent(next);
      setSaving((now) => (now === 'saved' ? 'waiting' : now));
    },
    checked,
    saving,
    isEdited: content !== published,
    error,
    hasUnsaved: () => latest.current !== saved.current,
    flush,
    async keepMine() {
      // Theirs cannot be taken meanwhile.
      setSaving('saving');
      try {
        continueFrom((await read()).revision);
        await flush();
      } catch (problem) {
        fail(problem);
      }
    },
    async afterPublishing() {
      setPublished(saved.current);
      const now = await read();
      // Otherwise somebody has stored a draft since, which is a conflict with the next change.
      if (!now.draft) revision.current = now.revision;
    },
    drop: () => unsavedByForm.delete(key),
  };
}
