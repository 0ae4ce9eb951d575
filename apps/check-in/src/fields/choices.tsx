import type { ComponentChildren } from 'preact';

interface ChoiceProps {
  readonly type: 'radio' | 'checkbox';
  readonly name: string;
  readonly isChosen: boolean;
  readonly isDisabled?: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly children: ComponentChildren;
}

/** A radio button or checkbox whose whole label can be tapped. */
export function Choice(props: ChoiceProps) {
  const { type, name, isChosen, isDisabled = false, onChoose, describedBy, isInvalid, children } = props;
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    onChoose(currentTarget.checked);
  return (
    <label class="choice">
      <input
        type={type}
        name={name}
        checked={isChosen}
        disabled={isDisabled}
        aria-describedby={describedBy}
        aria-invalid={isInvalid ? 'true' : undefined}
        // A browser that fills in may send only one of the two.
        onInput={choose}
        onChange={choose}
      />
      <span class="choice-text">{children}</span>
    </label>
  );
}
