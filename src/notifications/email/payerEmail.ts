/** Layout of the e-mails to payers. They come from the merchant, and are in Spanish. */
import type { MerchantModel } from '../../../prisma/generated/models';
import { darkenFor } from '../../platform/colour';
import { html } from '../../platform/html';
import { type Mail, oneLine } from './mailer';

export const EMAIL_COLUMNS = {
  ...{ name: true, environment: true, status: true },
  ...{ support_email: true, support_phone: true, website: true, logo: true, colour: true },
} as const;

type EmailMerchant = Pick<MerchantModel, keyof typeof EMAIL_COLUMNS>;

/** The accent of merchants without a colour, and the background it must contrast with. */
const USUAL_COLOUR = '#0b6e4f';
const PAPER = '#ffffff';
const BUTTON_STYLE = 'display:inline-block;padding:12px 20px;border-radius:6px;color:#ffffff;text-decoration:none';
const BODY_STYLE = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;line-height:1.5;color:#1a1d21';
const SMALL_STYLE = 'font-size:14px;color:#5b6470';

/** Delay before an e-mail of a suspended merchant is attempted again. */
export const SUSPENDED_PAUSE_MS = 600_000;

export interface EmailContent {
  subject: string;
  lines: readonly string[];
  /** The URL is also written out below the button. */
  button?: { text: string; url: string };
  /** Small print after the lines. */
  notes?: readonly string[];
  logo?: string;
}

/** Text from users must have gone through `oneLine`. */
export function composePayerEmail(merchant: EmailMerchant, content: EmailContent): Omit<Mail, 'to'> {
  const { subject, lines, button, notes = [], logo } = content;
  const { support_email, support_phone, website, environment } = merchant;
  const name = oneLine(merchant.name);
  const ways = [support_email, support_phone, website].flatMap(way => (way ? [oneLine(way)] : []));
  const small = [
    ...notes,
    ...(ways.length > 0 ? [`¿Tienes preguntas? ${ways.join(' · ')}`] : []),
    ...(environment === 'sandbox' ? ['Modo de prueba: no se mueve dinero real.'] : []),
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
    senderName: name,
    replyTo: support_email ? oneLine(support_email) : undefined,
    subject,
    text: [...lines, ...(button ? [`${button.text}: ${button.url}`] : []), ...small].join('\n\n'),
    html: html`<div lang="es" style="max-width:560px;margin:0 auto;padding:24px;border-top:4px solid ${colour};${BODY_STYLE}">
<p>${mark}</p>
${lines.map(line => html`<p>${line}</p>`)}
${onward}
${small.map(line => html`<p style="${SMALL_STYLE}">${line}</p>`)}
</div>`.text,
  };
}
