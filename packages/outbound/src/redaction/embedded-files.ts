// A data URI in JSON, where PHP escapes slashes; or a bare base64 PDF, which begins with `%PDF-`.
const embeddedFile = /(?:data:[\w.+-]+\\?\/[\w.+-]+;base64,|JVBERi0)(?:[\w+/=-]|\\\/)*/g;

/** Removes files that a response repeats from a request: a signed document contains a guest's data. */
export const withoutFiles = (text: string): string => text.replace(embeddedFile, '«file»');
