import {
  type FormTextBlock,
  type FormTextSpan,
  formText,
  parseFormText,
  type Text,
} from '@waiver-service/forms';
import { useSigning } from '../screens/signing-context.ts';
import { verbatim } from './field.tsx';

const Spans = ({ spans }: { readonly spans: readonly FormTextSpan[] }) => (
  <>
    {spans.map(({ text, bold }, index) =>
      bold ? <strong key={index}>{text}</strong> : <span key={index}>{text}</span>,
    )}
  </>
);

const Items = ({ items }: { readonly items: readonly (readonly FormTextSpan[])[] }) => (
  <>
    {items.map((spans, index) => (
      <li key={index}>
        <Spans spans={spans} />
      </li>
    ))}
  </>
);

function Block({ block }: { readonly block: FormTextBlock }) {
  if (block.type === 'list') {
    return block.start === null ? (
      <ul {...verbatim}>
        <Items items={block.items} />
      </ul>
    ) : (
      <ol {...verbatim} start={block.start}>
        <Items items={block.items} />
      </ol>
    );
  }
  const Element = block.type === 'paragraph' ? 'p' : block.level === 1 ? 'h2' : 'h3';
  return (
    <Element {...verbatim}>
      <Spans spans={block.spans} />
    </Element>
  );
}

/** A text of the form, with headings, lists and bold words. */
export function FormText({ text }: { readonly text: Text }) {
  const { draft } = useSigning();
  return (
    <>
      {parseFormText(formText(text, draft.language)).map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </>
  );
}

export function FormLine({ text }: { readonly text: Text }) {
  const { draft } = useSigning();
  const [block] = parseFormText(formText(text, draft.language));
  if (block === undefined) return null;
  return (
    <span {...verbatim}>
      <Spans spans={block.type === 'list' ? (block.items[0] ?? []) : block.spans} />
    </span>
  );
}
