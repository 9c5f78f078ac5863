/** All texts of the pages, in Spanish and English. */
import { type Language, preferredLanguage } from '../platform/language';
import { english } from './look/english';
import { spanish, type Texts } from './look/spanish';

export type { Texts } from './look/spanish';

export const texts: Record<Language, Texts> = { es: spanish, en: english };

/** The one that the browser prefers, else Spanish. */
export const languageOf = (acceptLanguage: string | undefined): Language => preferredLanguage(acceptLanguage) ?? 'es';
