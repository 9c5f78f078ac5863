import { pick } from '../../shared/language';

export const t = pick({
  es: {
    title: 'Metadatos',
    optional: 'Metadatos (opcional)',
    hint: 'Uno por línea, como canal: web',
    jsonHint: 'Un objeto JSON de textos.',
    invalid: 'Escribe uno por línea, como canal: web',
  },
  en: {
    title: 'Metadata',
    optional: 'Metadata (optional)',
    hint: 'One per line, such as channel: web',
    jsonHint: 'A JSON object of strings.',
    invalid: 'Write one per line, such as channel: web',
  },
});
