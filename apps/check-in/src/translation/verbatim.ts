/** The attributes of what is signed: it is read as it was written, so browsers must not translate it. */
export const verbatim = { class: 'notranslate', translate: false } as const;
