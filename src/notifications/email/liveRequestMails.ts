/** The letters that go with a request to go live: to the merchant at each step, and to operators when it is their turn. */

import type { LiveRequestStatus } from '../../accounts/activation/fields';
import { displayNit } from '../../accounts/activation/nit';
import { type LiveRequestRow, livePageUrl, narrowRequest } from '../../accounts/activation/rows';
import type { Database } from '../../platform/database/connection';
import { html } from '../../platform/html';
import { type Mail, type Mailer, oneLine } from './mailer';

interface Letter {
  subject: string;
  lines: string[];
}

type MerchantLetter = (merchant: string, request: LiveRequestRow) => Letter;

/** In Spanish, and in short in English. */
const letters: Record<Exclude<LiveRequestStatus, 'draft'>, MerchantLetter> = {
  submitted: (merchant, request) => ({
    subject: 'Recibimos tu solicitud para salir a producción',
    lines: [
      `Recibimos la solicitud de ${merchant} para salir a producción y la estamos revisando. Te escribiremos a este correo.`,
      'We have received your request to go live and are looking at it.',
      `Sigue la solicitud aquí · Follow it here: ${livePageUrl(request)}`,
    ],
  }),
  returned: (merchant, request) => ({
    subject: 'Necesitamos algo más para tu salida a producción',
    lines: [
      `Para continuar con la solicitud de ${merchant} necesitamos algo más: ${oneLine(request.reason ?? '')}`,
      'Please complete your request to go live; the reason is above.',
      `Complétala aquí · Complete it here: ${livePageUrl(request)}`,
    ],
  }),
  approved: (merchant, request) => ({
    subject: 'Tu salida a producción fue aprobada',
    lines: [
      `La solicitud de ${merchant} fue aprobada. Tu comercio de producción es ${request.production_merchant_id}.`,
      'Recibe sus llaves en la página de la solicitud, con tu llave privada de pruebas. Se muestran una sola vez.',
      'Your request to go live is approved. Collect the production keys on its page with your sandbox private key; they are shown once.',
      `Recíbelas aquí · Collect them here: ${livePageUrl(request)}`,
    ],
  }),
  refused: (merchant, request) => ({
    subject: 'Tu solicitud para salir a producción no fue aprobada',
    lines: [
      `La solicitud de ${merchant} no fue aprobada: ${oneLine(request.reason ?? '')}`,
      'Puedes hacer otra solicitud cuando lo hayas resuelto.',
      'Your request to go live was refused; the reason is above. You may ask again.',
    ],
  }),
};

/** By the kind of the row in the outbox; each takes the id of the request. */
export const liveRequestMails = (db: Database, mailer: Mailer, operatorEmail?: string) => ({
  live_submitted_mail: (id: string) => sendToMerchant(db, mailer, id, 'submitted'),
  live_returned_mail: (id: string) => sendToMerchant(db, mailer, id, 'returned'),
  live_approved_mail: (id: string) => sendToMerchant(db, mailer, id, 'approved'),
  live_refused_mail: (id: string) => sendToMerchant(db, mailer, id, 'refused'),
  live_operator_mail: (id: string) => sendToOperators(db, mailer, id, operatorEmail),
});

async function findRequest(db: Database, id: string) {
  const row = await db.liveRequest.findUnique({
    where: { id },
    include: { merchant: { select: { name: true, email: true } } },
  });
  return row && { request: narrowRequest(row), merchant: row.merchant };
}

/** Sends nothing if the request has gone on meanwhile. */
async function sendToMerchant(db: Database, mailer: Mailer, id: string, status: keyof typeof letters): Promise<void> {
  const found = await findRequest(db, id);
  if (found?.request.status !== status) return;
  const { name, email } = found.merchant;
  const { subject, lines } = letters[status](oneLine(name), found.request);
  await mailer.send({ to: email, ...compose({ subject, lines: [`Hola, ${oneLine(name)}:`, ...lines] }) });
}

/** It has no address that opens the page: that belongs to the merchant. */
async function sendToOperators(db: Database, mailer: Mailer, id: string, to: string | undefined): Promise<void> {
  const found = to === undefined ? null : await findRequest(db, id);
  if (!to || found?.request.status !== 'submitted') return;
  const { business, merchant_id } = found.request;
  const about = business ? `${oneLine(business.legal_name)}, NIT ${displayNit(business.nit)}` : '';
  const lines = [
    `${oneLine(found.merchant.name)} (${merchant_id}) asks to go live: ${about}.`,
    `npm run operator -- requests --status submitted`,
    `npm run operator -- approve ${id}`,
  ];
  await mailer.send({ to, ...compose({ subject: `Request to go live: ${oneLine(found.merchant.name)}`, lines }) });
}

/** A line that ends with an address has it as a link. */
function compose({ subject, lines }: Letter): Omit<Mail, 'to'> {
  const paragraphs = lines.map(line => {
    const [, before, url] = /^(.* )(https?:\/\/\S+)$/.exec(line) ?? [];
    return url ? html`<p>${before}<a href="${url}">${url}</a></p>` : html`<p>${line}</p>`;
  });
  return { subject, text: lines.join('\n\n'), html: html`${paragraphs}`.text };
}
