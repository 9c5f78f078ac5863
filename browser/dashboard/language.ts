/** Everything is said in Spanish or in English, never in both. Each part of the dashboard has its own texts. */
import { load, save } from './storage';

type Language = 'es' | 'en';

const asked: Language = document.documentElement.lang === 'en' ? 'en' : 'es';
export const language: Language = load('language', asked) === 'en' ? 'en' : 'es';
document.documentElement.lang = language;

/** The texts of a part, in the language of this page. */
export const pick = <T>(texts: { es: T; en: NoInfer<T> }): T => texts[language];

export function changeLanguage(): void {
  save('language', language === 'es' ? 'en' : 'es');
  location.reload();
}
