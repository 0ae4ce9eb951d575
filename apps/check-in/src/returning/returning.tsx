import { useLayoutEffect, useState } from 'preact/hooks';
import { withAskedCode } from '../draft/asked-code.ts';
import type { AskedCode, Signed } from '../draft/draft.ts';
import { Refused } from '../host/calls.ts';
import { Frame } from '../screens/frame.tsx';
import { Header } from '../screens/header.tsx';
import { useSigning } from '../screens/signing-context.ts';
import { StartAgain } from '../screens/start-again.tsx';
import type { TroubleCode } from '../screens/trouble.ts';
import { TranslationNote } from '../translation/translation-note.tsx';
import { AskCode } from './ask-code.tsx';
import { type Proof, type ReturningPerson, readPeople } from './calls.ts';
import { Confirm } from './confirm.tsx';
import { withEarlierAnswers } from './earlier-draft.ts';
import { failureText, returningTexts } from './texts.ts';

interface ReturningProps {
  readonly token: string;
  readonly onSigned: (signed: Signed) => void;
  /** Called to sign instead of confirming. */
  readonly onSign: () => void;
  readonly onLanguage: (language: string) => void;
  readonly onStartAgain: () => void;
}

/** The screens of a returning guest: who they are, and whether everything is still correct. */
export function Returning({ token, onSigned, onSign, onLanguage, onStartAgain }: ReturningProps) {
  const { session, draft, words, change } = useSigning();
  const { language } = draft;
  const texts = returningTexts(language);
  const { askedCode: asked } = draft;
  const [proof, setProof] = useState<Proof | undefined>(session.returning === 'known' ? {} : undefined);
  const [people, setPeople] = useState<readonly ReturningPerson[]>();
  const [trouble, setTrouble] = useState<TroubleCode>();
  const [isBusy, setBusy] = useState(false);

  // A layout effect, before a new language is shown: a question counts as confirmed only as it was worded.
  useLayoutEffect(() => {
    if (proof === undefined) return;
    let isCurrent = true;
    setPeople(undefined);
    setTrouble(undefined);
    readPeople(token, language, proof).then(
      (found) => isCurrent && setPeople(found),
      (error) => isCurrent && setTrouble(error instanceof Refused ? error.code : 'failed'),
    );
    return () => {
      isCurrent = false;
    };
  }, [proof, language]);

  const keepAsked = (code: AskedCode | undefined) => change((now) => withAskedCode(now, code));
  const hasPeople = people !== undefined && people.length > 0;
  const isAsking = proof === undefined;
  const screen = isAsking ? (asked === undefined ? 'returning' : 'returning-code') : 'returning-confirm';
  const askTitle = asked === undefined ? texts.title : texts.codeTitle;
  return (
    <Frame
      words={words}
      screen={screen}
      language={language}
      title={isAsking ? askTitle : texts.confirmTitle}
      header={
        <Header
          session={session}
          words={words}
          language={language}
          languages={draft.form.content.languages}
          onLanguage={onLanguage}
        />
      }
    >
      <TranslationNote />
      {isAsking && (
        <AskCode
          token={token}
          asked={asked}
          onAsked={keepAsked}
          onProven={(proven) => {
            setProof(proven);
            keepAsked(undefined);
          }}
        />
      )}
      {!isAsking && people === undefined && trouble === undefined && <p class="help">{words.loading}</p>}
      <div role="alert">
        {trouble && <p class="note trouble">{failureText(texts, words, trouble)}</p>}
        {people?.length === 0 && <p class="note">{texts.none}</p>}
      </div>
      {hasPeople && proof !== undefined && (
        <Confirm
          token={token}
          proof={proof}
          people={people}
          isBusy={isBusy}
          onBusy={setBusy}
          onConfirmed={(confirmed) => onSigned({ ...confirmed, language })}
          onChanged={(coming) => {
            change((now) => withEarlierAnswers(now, coming));
            onSign();
          }}
        />
      )}
      {!isBusy && (
        <>
          <button type="button" class="quiet" onClick={onSign}>
            {texts.signInstead}
          </button>
          <StartAgain words={words} onConfirm={onStartAgain} />
        </>
      )}
    </Frame>
  );
}
