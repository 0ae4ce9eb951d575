const shown = 8;

/** The end of a long id, enough to tell rows apart; the title has all of it. */
export function ShortId({ id }: { readonly id: string }) {
  return <code title={id}>{id.length <= shown * 2 ? id : `…${id.slice(-shown)}`}</code>;
}
