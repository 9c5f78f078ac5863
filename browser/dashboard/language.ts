/** The language of the page, Spanish or English. */
import { load, save } from './storage';

type Language = 'es' | 'en';

const requested: Language = document.documentElement.lang === 'en' ? 'en' : 'es';
export const language: Language = load('language', requested) === 'en' ? 'en' : 'es';
document.documentElement.lang = language;

export const pick = <T>(texts: { es: T; en: NoInfer<T> }): T => texts[language];

export function changeLanguage(): void {
  save('language', language === 'es' ? 'en' : 'es');
  location.reload();
}
