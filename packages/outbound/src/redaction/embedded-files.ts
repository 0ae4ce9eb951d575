// A data URI in JSON, whose slashes PHP escapes; or a PDF in base64 by itself, which begins with `%PDF-`.
const embeddedFile = /(?:data:[\w.+-]+\\?\/[\w.+-]+;base64,|JVBERi0)(?:[\w+/=-]|\\\/)*/g;

/** Leaves out files that a response repeats from a request: a signed document holds a guest's data. */
export const withoutFiles = (text: string): string => text.replace(embeddedFile, '«file»');
