import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type AskedCode, type Signed, withAskedCode } from '../draft/draft.ts';
import { Field, onSubmit, onText } from '../fields/field.tsx';
import { isShared, Refused, serviceNow } from '../host/calls.ts';
import { Frame, Header, StartAgain } from '../screens/frame.tsx';
import { useSigning } from '../screens/signing-context.ts';
import { fill, returningTroubleText, type TroubleCode } from '../text/words.ts';
import { TranslationNote } from '../translation/translation.tsx';
import { Confirm } from './confirm.tsx';
import {
  askForCode,
  exchangeCode,
  type Proof,
  type ReturningPerson,
  readPeople,
  withEarlierAnswers,
} from './earlier-signing.tsx';

interface AskCodeProps {
  readonly token: string;
  readonly asked: AskedCode | undefined;
  readonly onAsked: (asked: AskedCode | undefined) => void;
  readonly onProven: (proof: Proof) => void;
}

const looksLikeEmail = (email: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email);

/** Asks for an email address, then for the code sent to it. */
function AskCode({ token, asked, onAsked, onProven }: AskCodeProps) {
  const { session, draft, words } = useSigning();
  const { returning: texts } = words;
  const [email, setEmail] = useState(asked?.email ?? '');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  /** Set at once, unlike `isBusy`: a second press may come before the next rendering. */
  const isUnderWay = useRef(false);

  const sentenceFor = (error: unknown) => {
    const { code: general, body } = error instanceof Refused ? error : new Refused('refused');
    if (body.code === 'code_wrong') return texts.codeWrong;
    if (body.code === 'code_ended') return texts.codeEnded;
    if (body.code === 'too_many_codes') return texts.tooMany;
    return returningTroubleText(words, general);
  };
  const attempt = async (work: () => Promise<void>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setProblem(undefined);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setProblem(sentenceFor(error));
    }
    isUnderWay.current = false;
    setBusy(false);
  };
  const ask = () => {
    const address = email.trim();
    if (!looksLikeEmail(address)) {
      setProblem(texts.emailWrong);
      return;
    }
    void attempt(async () => {
      setCode('');
      const id = await askForCode(token, { email: address, language: draft.language });
      onAsked({ email: address, id, at: serviceNow().toISOString() });
    });
  };
  const exchange = ({ id, email: address }: AskedCode) => {
    const digits = code.replace(/\D/g, '');
    if (digits.length !== 6) {
      setProblem(texts.codeWrong);
      return;
    }
    void attempt(async () => onProven(await exchangeCode(token, { id, email: address, code: digits })));
  };

  return (
    <form noValidate onSubmit={onSubmit(() => (asked === undefined ? ask() : exchange(asked)))}>
      <p class="intro">
        {asked === undefined ? texts.askIntro : fill(texts.codeIntro, { email: asked.email })}
      </p>
      <div role="alert">{problem && <p class="note trouble">{problem}</p>}</div>
      {asked === undefined ? (
        <Field
          key="email"
          id="returning-email"
          label={texts.email}
          control={(props) => (
            <input
              {...props}
              type="email"
              inputMode="email"
              autocomplete={isShared(session) ? 'off' : 'email'}
              maxLength={254}
              value={email}
              {...onText(setEmail)}
            />
          )}
        />
      ) : (
        <Field
          key="code"
          id="returning-code"
          label={texts.code}
          control={(props) => (
            <input
              {...props}
              inputMode="numeric"
              autocomplete="one-time-code"
              dir="ltr"
              maxLength={12}
              value={code}
              {...onText(setCode)}
            />
          )}
        />
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {asked === undefined ? texts.send : words.next}
        </button>
        {asked !== undefined && (
          <button type="button" class="quiet" onClick={() => onAsked(undefined)}>
            {texts.otherCode}
          </button>
        )}
      </div>
    </form>
  );
}

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
  const { returning: texts } = words;
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
        {trouble && <p class="note trouble">{returningTroubleText(words, trouble)}</p>}
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
