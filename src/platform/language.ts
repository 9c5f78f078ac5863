/** The languages of e-mails and payment pages. */
export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (value: unknown): value is Language => value === 'es' || value === 'en';

/** The supported language that Accept-Language prefers, if it names one. */
export function preferredLanguage(acceptLanguage: string | undefined): Language | undefined {
  const preferences = (acceptLanguage ?? '').split(',').map(part => {
    const [tag = '', weight] = part
      .trim()
      .toLowerCase()
      .split(/;\s*q=/);
    return { language: tag.slice(0, 2), weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const supported = preferences.filter(({ language, weight }) => isLanguage(language) && weight > 0);
  return supported.sort((a, b) => b.weight - a.weight)[0]?.language as Language | undefined;
}
