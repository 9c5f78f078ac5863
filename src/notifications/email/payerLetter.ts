/** How letters to payers look, and what of their merchant stands in them. */
import type { MerchantModel } from '../../../prisma/generated/models';
import { darkenFor } from '../../platform/colour';
import { html } from '../../platform/html';
import { type Mail, oneLine } from './mailer';

export const LETTER_COLUMNS = {
  ...{ name: true, environment: true, status: true },
  ...{ support_email: true, support_phone: true, website: true, logo: true, colour: true },
} as const;

type LetterMerchant = Pick<MerchantModel, keyof typeof LETTER_COLUMNS>;

/** Of a merchant without one; and what stands on the other. */
const USUAL_COLOUR = '#0b6e4f';
const PAPER = '#ffffff';
const BUTTON_STYLE = 'display:inline-block;padding:12px 20px;border-radius:6px;color:#ffffff;text-decoration:none';
const BODY_STYLE = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;line-height:1.5;color:#1a1d21';
const SMALL_STYLE = 'font-size:14px;color:#5b6470';

/** Until a merchant that is suspended is asked about again. */
export const SUSPENDED_PAUSE_MS = 600_000;

export interface LetterContent {
  subject: string;
  lines: readonly string[];
  /** Where the payer goes on; the address is written out below it. */
  button?: { text: string; url: string };
  /** What is said less loudly, after the rest. */
  notes?: readonly string[];
  logo?: string;
}

/** Whatever somebody else wrote must have gone through `oneLine`. */
export function composeLetter(merchant: LetterMerchant, content: LetterContent): Omit<Mail, 'to'> {
  const { subject, lines, button, notes = [], logo } = content;
  const { support_email, support_phone, website, environment } = merchant;
  const name = oneLine(merchant.name);
  const ways = [support_email, support_phone, website].flatMap(way => (way ? [oneLine(way)] : []));
  const small = [
    ...notes,
    ...(ways.length > 0 ? [`¿Preguntas? Any questions? ${ways.join(' · ')}`] : []),
    ...(environment === 'sandbox' ? ['Prueba: no se mueve dinero. A test: no money moves.'] : []),
  ];
  const colour = darkenFor(PAPER, merchant.colour ?? USUAL_COLOUR);
  const mark = logo
    ? html`<img src="${logo}" alt="${name}" style="max-width:160px;max-height:48px">`
    : html`<strong style="font-size:18px">${name}</strong>`;
  const onward = button && [
    html`<p><a href="${button.url}" style="${BUTTON_STYLE};background:${colour}">${button.text}</a></p>`,
    html`<p style="${SMALL_STYLE}">${button.url}</p>`,
  ];
  return {
    subject,
    text: [...lines, ...(button ? [`${button.text}: ${button.url}`] : []), ...small].join('\n\n'),
    html: html`<div style="max-width:560px;margin:0 auto;padding:24px;border-top:4px solid ${colour};${BODY_STYLE}">
<p>${mark}</p>
${lines.map(line => html`<p>${line}</p>`)}
${onward}
${small.map(line => html`<p style="${SMALL_STYLE}">${line}</p>`)}
</div>`.text,
  };
}
