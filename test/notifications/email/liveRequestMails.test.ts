/** The e-mails about a request to go live, through a real mail server. */
import type { Mailbox } from '../../../src/local/mailbox/mailbox';
import { business, testOperators } from '../../harness/merchant/operators';
import { testApi } from '../../harness/servers/api';
import { sendMails, startMailbox } from '../../harness/servers/mailbox';

const api = testApi({ ownWorld: true });
const { operate, runAs, newMerchant, requestLive } = testOperators(api);
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
const db = () => api.database.db();

/** The e-mails that a worker sends now. */
const sent = (operatorEmail?: string) => sendMails(db(), mailbox, operatorEmail);
const ask = async (name = 'Tienda') => {
  const merchant = await newMerchant(name);
  return { ...merchant, request: (await requestLive(merchant.private_key)).body.data.requestLive };
};
const decide = (how: 'return' | 'refuse', id: string, reason: string) =>
  operate('support', `mutation ($r: String!) { ${how}LiveRequest(id: "${id}", reason: $r) { id } }`, { r: reason });

it('informs the merchant of each step, and operators of their tasks if an address is configured', async () => {
  const { request, private_key } = await ask();
  const first = await sent('ops@recaudo.example');
  expect(first.map(({ to, subject }) => [to, subject]).sort()).toEqual([
    [['ops@recaudo.example'], 'Request for production access: Tienda'],
    [['tienda@example.com'], 'Recibimos tu solicitud de acceso a producción'],
  ]);
  const [toMerchant, toOperators] = ['tienda@example.com', 'ops@recaudo.example'].map(address =>
    first.find(({ to }) => to.includes(address)),
  );
  expect(toMerchant?.text).toContain(request.url);
  expect(toOperators?.text).toContain(`Tienda S.A.S., NIT 900123456-8`);
  expect(toOperators?.html).toContain(`<a href="${api.origin()}/operator/requests/${request.id}">`);
  expect(toOperators?.text).not.toMatch(/\/live\/|npm run/);

  await decide('return', request.id, '¿Cuál banco?');
  expect(await sent()).toMatchObject([
    {
      subject: 'Necesitamos más información para tu acceso a producción',
      text: expect.stringContaining('¿Cuál banco?'),
    },
  ]);
  await runAs(private_key, 'mutation ($b: BusinessInput!) { updateLiveRequest(request: $b) { id } }', { b: business });
  expect(await sent()).toMatchObject([{ to: ['tienda@example.com'] }]);
  const approve = `mutation { approveLiveRequest(id: "${request.id}") { production_merchant_id } }`;
  const { production_merchant_id } = await operate('admin', approve);
  const [approved] = await sent();
  expect(approved?.subject).toBe('Tu acceso a producción fue aprobado');
  expect(approved?.text).toContain(production_merchant_id);
  expect(approved?.html).toContain(`<a href="${request.url}">`);
  expect(await db().outbox.count()).toBe(0);
});

it('sends the reason for a refusal in one line, with any characters', async () => {
  const { request } = await ask('Tienda\r\nBcc: spy@example.com');
  await sent();
  await decide('refuse', request.id, 'No\n\nPaga aquí: <b>x</b>');
  const [refused] = await sent();
  expect(refused?.subject).toBe('Tu solicitud de acceso a producción fue rechazada');
  expect(refused?.text).toContain(
    'La solicitud de acceso a producción de Tienda Bcc: spy@example.com fue rechazada: No Paga aquí: <b>x</b>',
  );
  expect(refused?.html).not.toContain('<b>');
});

it('sends nothing about an outdated step', async () => {
  const { request } = await ask();
  await decide('refuse', request.id, 'No');
  expect((await sent('ops@recaudo.example')).map(({ subject }) => subject)).toEqual([
    'Tu solicitud de acceso a producción fue rechazada',
  ]);
});
