interface TextEvent {
  readonly currentTarget: { readonly value: string };
}

/** Takes what is typed or chosen, and what is filled in by a browser that sends only `input` or only `change`. */
export function onText(take: (text: string) => void) {
  const handle = ({ currentTarget }: TextEvent) => take(currentTarget.value);
  return { onInput: handle, onChange: handle };
}
