import type { FormContent, FormProblem } from '@waiver-service/forms';
import { useEffect, useRef, useState } from 'react';
import { call, isProblem } from '../../api/client.ts';
import type { FormDetail } from '../../api/resources.ts';

/**
 * `waiting` until the typing pauses, then `saving`, then one of: `saved`; `failed`, which is retried; or `conflict`,
 * because somebody else has stored another draft, resolved by {@link FormDraft.keepMine} or by reading theirs.
 */
type SavingState = 'saved' | 'waiting' | 'saving' | 'failed' | 'conflict';

/** A draft that is saved automatically. */
export interface FormDraft {
  readonly content: FormContent;
  readonly change: (update: (content: FormContent) => FormContent) => void;
  /** The problems that prevent publishing, as of the last save. */
  readonly checked: { readonly content: FormContent; readonly problems: readonly FormProblem[] };
  readonly saving: SavingState;
  /** Whether the draft differs from the newest version. */
  readonly isEdited: boolean;
  readonly error: Error | null;
  /** Whether there are unsaved changes. */
  readonly hasUnsaved: () => boolean;
  /** Saves any unsaved changes. @returns the revision; undefined if saving failed */
  readonly flush: () => Promise<string | undefined>;
  /** Overwrites the draft that somebody else has stored. */
  readonly keepMine: () => Promise<void>;
  /** Continues from the version that was just published. */
  readonly afterPublishing: () => Promise<void>;
  /** Discards unsaved changes. */
  readonly drop: () => void;
}

interface Unsaved {
  readonly content: FormContent;
  readonly revision: string;
}

// Unsaved changes outlive their page: a session may end while someone types.
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

  /** Sets the revision to save against, also for a later page that starts from the unsaved changes: no conflict there. */
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
        const answer = await call('PUT', '/v1/admin/pools/:pool/forms/:form/draft', {
          params: { pool, form: form.id },
          query: { revision: revision.current },
          body: { ...sent },
        });
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
  const read = () => call('GET', '/v1/admin/pools/:pool/forms/:form', { params: { pool, form: form.id } });
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
      // Hides the choice between the drafts meanwhile.
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
      // Otherwise somebody has stored a draft since: the next change must conflict with it.
      if (!now.draft) revision.current = now.revision;
    },
    drop: () => unsavedByForm.delete(key),
  };
}
