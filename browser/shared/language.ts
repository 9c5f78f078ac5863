/** The language of the page, Spanish or English. All pages share the choice. */
import { load, save } from './storage';

type Language = 'es' | 'en';

const KEY = 'dashboard.language';
const isLanguage = (value: unknown): value is Language => value === 'es' || value === 'en';
const asked = new URLSearchParams(location.search).get('lang');

export const language: Language =
  [asked, load<unknown>(KEY, undefined), document.documentElement.lang].find(isLanguage) ?? 'es';
document.documentElement.lang = language;

export const pick = <T>(texts: { es: T; en: NoInfer<T> }): T => texts[language];

export const otherLanguage = pick<{ code: Language; name: string }>({
  es: { code: 'en', name: 'English' },
  en: { code: 'es', name: 'Español' },
});

export const keepOtherLanguage = (): void => save(KEY, otherLanguage.code);

export function changeLanguage(): void {
  keepOtherLanguage();
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  history.replaceState(null, '', url);
  location.reload();
}
