import {
  type FormContent,
  formText,
  type PublishedForm,
  type Sentences,
  type SigningProblem,
} from '@waiver-service/forms';
import { useEffect, useState } from 'preact/hooks';
import { awaitsCode, type Draft, forNewVersion, type Signed, withAskedCode } from '../draft/draft.ts';
import { lazy, onSubmit } from '../fields/field.tsx';
import { type CheckInSession, isShared, serviceNow } from '../host/calls.ts';
import { finishedPage, resumeAt, type Step, stepProblems, stepsOf, useStep } from '../steps/steps.ts';
import { fill, isPassing, type TroubleCode, troubleText, type Words } from '../text/words.ts';
import { TranslationNote, useTranslated } from '../translation/translation.tsx';
import { Check } from './check.tsx';
import { Changed, FormPage } from './form-page.tsx';
import { Frame, Header, StartAgain } from './frame.tsx';
import { SigningContext } from './signing-context.ts';
import { type Delivery, useSending } from './use-sending.ts';
import { Children, Who } from './who.tsx';

interface SigningProps {
  /** Undefined in a form preview, where every screen can be opened and nothing is sent. */
  readonly delivery: Delivery | undefined;
  readonly session: CheckInSession;
  readonly words: Words;
  readonly sentences: Sentences;
  readonly draft: Draft;
  readonly change: (update: (draft: Draft) => Draft) => void;
  /** False: closing the page loses the entries. */
  readonly isKept: boolean;
  /** True: signings cannot wait on this device. */
  readonly isOnlineOnly: boolean;
  readonly onLanguage: (language: string) => Promise<void>;
  readonly onSigned: (signed: Signed) => void;
  readonly onStartAgain: () => void;
}

// Lazy: most guests are new.
const Returning = lazy(async () => (await import('../returning/returning.tsx')).Returning);

const keyOf = ({ item, guest, field }: SigningProblem) => `${item ?? field} ${guest}`;

/** Focuses the first invalid control, or the pad of a missing signature that can only be drawn. */
function focusFirstProblem(): void {
  const controls = ':is(input:not([type=hidden]), select, textarea, button, .pad):not(:disabled)';
  const first = document.querySelector<HTMLElement>(`.invalid ${controls}`);
  first?.focus();
  first?.closest('.invalid')?.scrollIntoView({ block: 'nearest' });
}

/** All screens of a signing except the last. */
export function Signing(props: SigningProps) {
  const { session, words, sentences, draft, change } = props;
  const steps = stepsOf(draft, session);
  const allProblems = steps.map((step) => stepProblems(step, draft, session, sentences));
  const firstIncomplete = allProblems.findIndex(({ length }) => length > 0);
  const { state, trouble, isLocked, send, finishPage } = useSending(props, {
    onFormChanged: (form) => showNewVersion(form),
    onInvalid: () => {
      const incomplete = steps.find((one) => stepProblems(one, draft, session, sentences).length > 0);
      if (incomplete !== undefined) showProblems(incomplete);
      return incomplete !== undefined;
    },
  });
  const isPreview = props.delivery === undefined;
  const last = isPreview || isLocked || firstIncomplete === -1 ? steps.length - 1 : firstIncomplete;

  // `useState` runs this before `useStep` reads the URL.
  useState(() => resumeAt(steps, draft.step));
  const { step, go, back } = useStep(steps, isLocked ? last : 0, last);
  const index = steps.indexOf(step);
  const [failed, setFailed] = useState<readonly string[]>([]);
  const [attempts, setAttempts] = useState(0);
  const [isLanguageChanged, setLanguageChanged] = useState(false);
  const [former, setFormer] = useState<FormContent>();

  useEffect(() => change((now) => (now.step === step.id ? now : { ...now, step: step.id })), [step.id]);
  useEffect(() => {
    if (attempts > 0) focusFirstProblem();
  }, [attempts]);
  const isTranslated = useTranslated();
  useEffect(() => {
    if (isTranslated) change((now) => ({ translatedAt: new Date().toISOString(), ...now }));
  }, [isTranslated]);
  // A new version of the form may have been published since the draft was begun.
  useEffect(() => {
    if (draft.form.hash !== session.form.hash) showNewVersion(session.form);
  }, [session.form.hash]);

  const showNewVersion = (form: PublishedForm) => {
    setFormer(draft.form.content);
    change((now) => forNewVersion(now, form));
  };
  const showProblems = (at: Step) => {
    setFailed(stepProblems(at, draft, session, sentences).map(keyOf));
    go(at);
    setAttempts((count) => count + 1);
  };
  const changeLanguage = (language: string) => {
    if (language === draft.language) return;
    setLanguageChanged(draft.acts.length > 0);
    void props.onLanguage(language);
  };
  const next = () => {
    setLanguageChanged(false);
    if (step.kind === 'check') {
      void send();
      return;
    }
    if ((allProblems[index] ?? []).length > 0) {
      showProblems(step);
      return;
    }
    setFailed([]);
    const following = steps[index + 1];
    const page = finishedPage(step, following, draft);
    if (page !== undefined) finishPage(page);
    if (following !== undefined) go(following);
  };

  const [isReturning, setReturning] = useState(
    () =>
      (session.returning === 'known' && draft.step === undefined) ||
      // The browser may have closed the page while the guest read their mail.
      (session.returning === 'code' && awaitsCode(draft, serviceNow())),
  );
  const forgetCode = () => change((now) => withAskedCode(now, undefined));
  useEffect(() => {
    if (!isReturning) forgetCode();
  }, []);
  const problems = (allProblems[index] ?? []).filter((problem) => failed.includes(keyOf(problem)));
  const title = former !== undefined ? words.changed.title : titleOf(step, draft, words);
  const context = { session, draft, change, words, sentences, problems };
  const token = props.delivery?.proof.token;
  if (isReturning && token !== undefined && !isLocked && former === undefined) {
    return (
      <SigningContext.Provider value={context}>
        <Returning
          token={token}
          onSigned={props.onSigned}
          onSign={() => {
            setReturning(false);
            forgetCode();
          }}
          onLanguage={changeLanguage}
          onStartAgain={props.onStartAgain}
        />
      </SigningContext.Provider>
    );
  }
  return (
    <SigningContext.Provider value={context}>
      <Frame
        words={words}
        screen={former !== undefined ? 'changed' : step.id}
        language={draft.language}
        title={title}
        header={
          <Header
            session={session}
            words={words}
            language={draft.language}
            languages={draft.form.content.languages}
            onLanguage={isLocked ? undefined : changeLanguage}
          />
        }
        progress={
          former === undefined && (
            <div class="progress">
              <progress aria-hidden="true" value={index + 1} max={steps.length} />
              <p>{fill(words.step, { step: index + 1, steps: steps.length })}</p>
            </div>
          )
        }
      >
        <TranslationNote />
        {props.isOnlineOnly && <p class="note">{words.onlineOnly}</p>}
        {!props.isKept && <p class="note">{words.notKept}</p>}
        <div role="status">{isLanguageChanged && <p class="note">{words.languageChanged}</p>}</div>
        <form
          noValidate
          autocomplete={isShared(session) ? 'off' : undefined}
          onSubmit={onSubmit(former === undefined ? next : () => setFormer(undefined))}
        >
          {former !== undefined ? (
            <Changed former={former} />
          ) : (
            <>
              {step.kind === 'who' && session.returning && !isPreview && (
                <button type="button" class="secondary" onClick={() => setReturning(true)}>
                  {words.who.returning}
                </button>
              )}
              {step.kind === 'who' && <Who />}
              {step.kind === 'children' && <Children />}
              {step.kind === 'page' && <FormPage key={step.id} page={step.page} />}
              {step.kind === 'check' && <Check onChange={isLocked ? undefined : go} />}
            </>
          )}
          <div role="alert">
            {trouble && (
              <div class="note trouble">
                <h2>{troubleText(words, trouble).title}</h2>
                <p>{troubleText(words, trouble).text}</p>
              </div>
            )}
          </div>
          <div class="actions">
            <button type="submit" class="primary" disabled={state === 'sending'}>
              {former === undefined && step.kind === 'check' ? sendLabel(words, state, trouble) : words.next}
            </button>
            {former === undefined && back && !isLocked && (
              <button type="button" class="quiet" onClick={back}>
                {words.back}
              </button>
            )}
          </div>
        </form>
        {!isLocked && <StartAgain words={words} onConfirm={props.onStartAgain} />}
      </Frame>
    </SigningContext.Provider>
  );
}

function titleOf(step: Step, { language }: Draft, words: Words): string {
  if (step.kind === 'page') return formText(step.page.title, language);
  return { who: words.who.title, children: words.children.title, check: words.check.title }[step.kind];
}

function sendLabel({ check }: Words, state: 'ready' | 'sending', trouble: TroubleCode | undefined): string {
  if (state === 'sending') return check.sending;
  return trouble !== undefined && isPassing(trouble) ? check.sendAgain : check.send;
}
