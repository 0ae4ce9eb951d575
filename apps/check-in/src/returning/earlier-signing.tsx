import { type AskItem, formText, type ShownItem, type ShownPage } from '@waiver-service/forms';
import { useState } from 'preact/hooks';
import { FormText } from '../fields/form-text.tsx';
import { AnswerText, Entry } from '../screens/check.tsx';
import { useSigning } from '../screens/signing-context.ts';
import { formatDay, formatList } from '../text/formats.ts';
import { fill } from '../text/words.ts';
import { type ComingPerson, type Proof, readSignedText } from './calls.ts';

interface EarlierSigningProps {
  readonly token: string;
  readonly proof: Proof;
  /** All of the same signing. */
  readonly people: readonly ComingPerson[];
}

/** An earlier signing: when and for whom, its answers, and the text to reread. */
export function EarlierSigning({ token, proof, people }: EarlierSigningProps) {
  const { draft, words } = useSigning();
  const { language } = draft;
  const { returning: texts } = words;
  const [first] = people;
  if (first === undefined) return null;
  const names = people.map(({ name }) => name ?? '').filter((name) => name !== '');
  return (
    <section class="card summary" aria-labelledby={`earlier-${first.waiver}`}>
      <h2 id={`earlier-${first.waiver}`}>
        <bdi>{formatList(language, names)}</bdi>
      </h2>
      <p>
        {fill(texts.signedOn, { form: first.form.name, day: formatDay(language, first.signedOn) })}
        <br />
        {fill(texts.validUntil, { day: formatDay(language, first.validUntil) })}
      </p>
      {people.map((person) => (
        <EarlierAnswers key={person.waiver} person={person} isOnly={people.length === 1} />
      ))}
      <SignedText token={token} proof={proof} waiver={first.waiver} />
    </section>
  );
}

function EarlierAnswers({ person, isOnly }: { readonly person: ComingPerson; readonly isOnly: boolean }) {
  const { draft, words } = useSigning();
  const { returning: texts } = words;
  const asked = draft.form.content.pages
    .flatMap(({ items }) => items)
    .filter((item): item is AskItem => item.type === 'ask');
  const answered = asked.flatMap((item) => {
    const answer = person.answers[item.id] ?? person.signerAnswers[item.id];
    return answer === undefined ? [] : [{ item, answer }];
  });
  return (
    <details>
      <summary>
        {texts.answers}
        {!isOnly && (
          <>
            {': '}
            <bdi>{person.name}</bdi>
          </>
        )}
      </summary>
      <dl>
        {answered.map(({ item, answer }) => (
          <Entry key={item.id} term={formText(item.label, draft.language)}>
            <AnswerText item={item} answer={answer} />
          </Entry>
        ))}
      </dl>
    </details>
  );
}

const textOf = (item: ShownItem) =>
  item.type === 'ask' ? undefined : item.type === 'sign' ? item.statement : item.text;

type Text = { readonly language: string; readonly pages: readonly ShownPage[] };

/** The text as signed, loaded when opened. */
function SignedText({
  token,
  proof,
  waiver,
}: Omit<EarlierSigningProps, 'people'> & { readonly waiver: string }) {
  const { draft, words } = useSigning();
  const { returning: texts } = words;
  const [text, setText] = useState<Text | 'failed'>();
  const load = () => {
    if (text !== undefined && text !== 'failed') return;
    setText(undefined);
    readSignedText(token, waiver, proof).then(setText, () => setText('failed'));
  };
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && load()}>
      <summary>{texts.readAgain}</summary>
      {text === undefined && <p class="help">{words.loading}</p>}
      {text === 'failed' && <p class="problem">{texts.unread}</p>}
      {typeof text === 'object' && (
        <div class="prose" lang={text.language} dir="auto">
          {text.pages
            .flatMap(({ items }) => items)
            .map((item) => {
              const shown = textOf(item);
              return shown === undefined ? null : (
                <FormText key={item.item} text={{ [draft.language]: shown }} />
              );
            })}
        </div>
      )}
    </details>
  );
}
