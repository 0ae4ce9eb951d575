/** The message is the reason, worded to follow "the name does not resolve". */
export class NameNotResolved extends Error {
  override readonly name = 'NameNotResolved';
}
