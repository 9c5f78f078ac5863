/** Fills the layout of e-mails to payers. They come from the merchant, with its name or logo, its colour and its contacts. */
import { readFileSync } from 'node:fs';
import type { MerchantModel } from '../../../../prisma/generated/models';
import { logoUrl } from '../../../accounts/merchants/profile';
import { darkenFor, lightenFor } from '../../../platform/colour';
import { type Html, type HtmlValue, html } from '../../../platform/html';
import type { Language } from '../../../platform/language';
import { fromRoot } from '../../../platform/root';
import { type Mail, oneLine } from '../mailer';

export const EMAIL_COLUMNS = {
  ...{ name: true, environment: true, status: true, payer_emails: true },
  ...{ support_email: true, support_phone: true, website: true, logo: true, colour: true },
} as const;

export type EmailMerchant = Pick<MerchantModel, keyof typeof EMAIL_COLUMNS>;

/** The accents of merchants without a colour, and the backgrounds that a colour must contrast with. */
const USUAL_COLOURS = { light: '#0b6e4f', dark: '#35c08e' };
const PAPERS = { light: '#ffffff', dark: '#131a21' };

/** Text from users must have gone through `oneLine`. */
export interface EmailContent {
  subject: string;
  lines: readonly string[];
  /** Shown large. */
  amount?: string;
  facts?: readonly (readonly [label: string, value: string])[];
  /** The URL is also written out below the button. */
  button?: { text: string; url: string };
  /** Small print after the lines. */
  notes?: readonly string[];
}

interface EmailFrame {
  language: Language;
  /** The public address of the pages, which also serves logos; without it the e-mail has the merchant's name. */
  origin: string | undefined;
}

const TEXTS: Record<Language, { questions: string; test: string }> = {
  es: { questions: '¿Tienes preguntas?', test: 'Modo de prueba: no se mueve dinero real.' },
  en: { questions: 'Questions?', test: 'Test mode: no real money moves.' },
};

interface LayoutPart {
  texts: readonly string[];
  /** The names of the values between the texts. */
  names: readonly string[];
}
let layout: Record<string, LayoutPart> | undefined;

/** Escapes all values that are not HTML. */
function fill(name: string, values: Record<string, HtmlValue>): Html {
  layout ??= JSON.parse(readFileSync(fromRoot('dist/email.json'), 'utf8')) as Record<string, LayoutPart>;
  const part = layout[name];
  if (!part) throw new Error(`e-mail layout: no part ${name}`);
  return html(part.texts, ...part.names.map(value => values[value]));
}

export function composePayerEmail(
  merchant: EmailMerchant,
  { subject, lines, amount, facts = [], button, notes = [] }: EmailContent,
  { language, origin }: EmailFrame,
): Omit<Mail, 'to'> {
  const { support_email, support_phone, website, environment, logo, colour } = merchant;
  const name = oneLine(merchant.name);
  const { questions, test } = TEXTS[language];
  const ways = [support_email, support_phone, website].flatMap(way => (way ? [oneLine(way)] : []));
  const small = [...notes, ...(ways.length > 0 ? [`${questions} ${ways.join(' · ')}`] : [])];
  const testNote = environment === 'sandbox' ? [test] : [];
  const accent = darkenFor(PAPERS.light, colour ?? USUAL_COLOURS.light);
  const rows = facts.map(([label, value]) => fill('fact', { label, value }));
  return {
    senderName: name,
    replyTo: support_email ? oneLine(support_email) : undefined,
    subject,
    text: [
      ...lines,
      ...(amount ? [`${amount} COP`] : []),
      ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
      ...(button ? [`${button.text}: ${button.url}`] : []),
      ...small,
      ...testNote,
    ].join('\n\n'),
    html: fill('page', {
      language,
      subject,
      accent,
      accentInDark: lightenFor(PAPERS.dark, colour ?? USUAL_COLOURS.dark),
      mark: logo && origin ? fill('logo', { url: logoUrl(origin, logo), name }) : fill('name', { name }),
      lines: lines.map(line => fill('line', { line })),
      figure: amount && fill('figure', { amount }),
      facts: rows.length > 0 && fill('facts', { rows }),
      action: button && fill('action', { ...button, accent }),
      notes: small.map(note => fill('note', { note })),
      test: testNote.map(note => fill('test', { note })),
    }).text,
  };
}
