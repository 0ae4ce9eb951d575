/** Replaces a message that may quote a guest. */
export const hiddenMessage = 'Not shown to viewers, since it may quote a guest.';
