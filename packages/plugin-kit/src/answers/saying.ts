const maxLength = 200;

/** As much of a text as a message has room for. Cut between two words: half a key would be recognised by nobody. */
function shortened(text: string): string {
  if (text.length <= maxLength) return text;
  const words = text.slice(0, maxLength + 1);
  return `${words.slice(0, Math.max(words.search(/\s\S*$/), 0))}…`;
}

/** What a booking system said, as the end of a message about it; empty where it said nothing. */
export const saying = (words = ''): string =>
  words === '' ? '' : `, saying ${JSON.stringify(shortened(words))}`;
