/** The e-mails about a request for production access: to the merchant at each step, and to operators for the review. */
import type { LiveRequestStatus } from '../../accounts/activation/fields';
import { displayNit } from '../../accounts/activation/nit';
import { type LiveRequestRow, livePageUrl, narrowRequest } from '../../accounts/activation/rows';
import type { Database } from '../../platform/database/connection';
import { html } from '../../platform/html';
import { type Mail, type Mailer, type Mailers, oneLine } from './mailer';

interface MerchantEmail {
  subject: string;
  lines: string[];
}

type MerchantTemplate = (merchant: string, request: LiveRequestRow) => MerchantEmail;

/** In Spanish, with a short English version. */
const templates: Record<Exclude<LiveRequestStatus, 'draft'>, MerchantTemplate> = {
  submitted: (merchant, request) => ({
    subject: 'Recibimos tu solicitud de acceso a producción',
    lines: [
      `Recibimos la solicitud de acceso a producción de ${merchant} y la estamos revisando. Te escribiremos a este correo electrónico.`,
      'We received your request for production access and are reviewing it. We will write to this e-mail address.',
      `Consulta la solicitud · View the request: ${livePageUrl(request)}`,
    ],
  }),
  returned: (merchant, request) => ({
    subject: 'Necesitamos más información para tu acceso a producción',
    lines: [
      `Para continuar con la solicitud de acceso a producción de ${merchant} necesitamos más información: ${oneLine(request.reason ?? '')}`,
      'We need more information to continue with your request for production access; the reason is above.',
      `Corrige la solicitud · Correct the request: ${livePageUrl(request)}`,
    ],
  }),
  approved: (merchant, request) => ({
    subject: 'Tu acceso a producción fue aprobado',
    lines: [
      `La solicitud de acceso a producción de ${merchant} fue aprobada. Tu comercio de producción es ${request.production_merchant_id}.`,
      'Obtén las llaves de producción en la página de la solicitud con tu llave privada de prueba. Se muestran una sola vez.',
      'Your request for production access was approved. Get the production keys on the page of the request with your sandbox private key. They are shown only once.',
      `Obtén las llaves · Get the keys: ${livePageUrl(request)}`,
    ],
  }),
  refused: (merchant, request) => ({
    subject: 'Tu solicitud de acceso a producción fue rechazada',
    lines: [
      `La solicitud de acceso a producción de ${merchant} fue rechazada: ${oneLine(request.reason ?? '')}`,
      'Cuando corrijas el motivo, puedes enviar otra solicitud.',
      'Your request for production access was rejected; the reason is above. Once you have resolved it, you can submit another request.',
    ],
  }),
};

async function findRequest(db: Database, id: string) {
  const row = await db.liveRequest.findUnique({
    where: { id },
    include: { merchant: { select: { name: true, email: true } } },
  });
  return row && { request: narrowRequest(row), merchant: row.merchant };
}

/** Sends nothing if the status has changed meanwhile. */
export async function sendLiveRequestMail(
  db: Database,
  { production: mailer }: Mailers,
  id: string,
  status: keyof typeof templates,
): Promise<void> {
  const found = await findRequest(db, id);
  if (found?.request.status !== status) return;
  const { name, email } = found.merchant;
  const { subject, lines } = templates[status](oneLine(name), found.request);
  await mailer.send({ to: email, ...compose({ subject, lines: [`Hola, ${oneLine(name)}:`, ...lines] }) });
}

/** With the operator page, not the secret URL of the merchant's page. */
export async function sendOperatorMail(
  db: Database,
  mailer: Mailer,
  id: string,
  to: string | undefined,
): Promise<void> {
  const found = to === undefined ? null : await findRequest(db, id);
  if (!to || found?.request.status !== 'submitted') return;
  const { business, merchant_id, page_origin } = found.request;
  const about = business ? `${oneLine(business.legal_name)}, NIT ${displayNit(business.nit)}` : '';
  const lines = [
    `${oneLine(found.merchant.name)} (${merchant_id}) requests production access: ${about}.`,
    `Review the request: ${page_origin}/operator/requests/${id}`,
  ];
  await mailer.send({
    to,
    ...compose({ subject: `Request for production access: ${oneLine(found.merchant.name)}`, lines }),
  });
}

/** A URL at the end of a line becomes a link. */
function compose({ subject, lines }: MerchantEmail): Omit<Mail, 'to'> {
  const paragraphs = lines.map(line => {
    const [, before, url] = /^(.* )(https?:\/\/\S+)$/.exec(line) ?? [];
    return url ? html`<p>${before}<a href="${url}">${url}</a></p>` : html`<p>${line}</p>`;
  });
  return { subject, text: lines.join('\n\n'), html: html`${paragraphs}`.text };
}
