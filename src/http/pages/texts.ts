/** All texts of the pages, in Spanish and English. */
import { english } from './look/english';
import { spanish } from './look/spanish';

export type { Texts } from './look/spanish';

export const texts = { es: spanish, en: english } as const;
export type Language = keyof typeof texts;

export const isLanguage = (value: unknown): value is Language => value === 'es' || value === 'en';

/** The one that the browser prefers, else Spanish. */
export function languageOf(acceptLanguage: string | undefined): Language {
  const preferences = (acceptLanguage ?? '').split(',').map(part => {
    const [tag = '', weight] = part
      .trim()
      .toLowerCase()
      .split(/;\s*q=/);
    return { language: tag.slice(0, 2), weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const supported = preferences.filter(({ language, weight }) => isLanguage(language) && weight > 0);
  return supported.sort((a, b) => b.weight - a.weight)[0]?.language === 'en' ? 'en' : 'es';
}
