/** A name that brought no address. The message says why, in words that follow "the name does not resolve". */
export class NameNotResolved extends Error {
  override readonly name = 'NameNotResolved';
}
