/** The language of the page, Spanish or English. */
import { load, save } from './storage';

type Language = 'es' | 'en';

const KEY = 'dashboard.language';
const requested: Language = document.documentElement.lang === 'en' ? 'en' : 'es';
export const language: Language = load(KEY, requested) === 'en' ? 'en' : 'es';
document.documentElement.lang = language;

export const pick = <T>(texts: { es: T; en: NoInfer<T> }): T => texts[language];

export function changeLanguage(): void {
  save(KEY, language === 'es' ? 'en' : 'es');
  location.reload();
}
