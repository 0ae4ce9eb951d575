const decoder = new TextDecoder();

/** The text of bytes in UTF-8, without a byte order mark; what is no UTF-8 becomes U+FFFD. */
export const textOf = (bytes: Buffer): string => decoder.decode(bytes);
