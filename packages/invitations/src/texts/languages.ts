import type { MailLanguage } from '@waiver-service/alerts';
import ar from './ar.json' with { type: 'json' };
import cs from './cs.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };

/** The words of one language: the texts that a pool may replace, and the fixed text around them. */
export type InvitationWords = typeof en;

const words: Readonly<Record<MailLanguage, InvitationWords>> = { en, de, es, fr, cs, ar };

export const wordsOf = (language: MailLanguage): InvitationWords => words[language];
