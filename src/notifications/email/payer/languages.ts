import type { Language } from '../../../platform/language';
import { english } from './english';
import { spanish } from './spanish';
import type { EmailWords } from './words';

const languages: Record<Language, EmailWords> = { es: spanish, en: english };

/** The language of a payer; Spanish by default. */
export const languageOf = (payer: { language: string | null } | null | undefined): Language =>
  payer?.language === 'en' ? 'en' : 'es';

export const emailWords = (language: Language): EmailWords => languages[language];
