import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { openMailer } from '../../../src/notifications/email/mailer';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { createSelfSigned } from '../../harness/webhooks/certificate';

const MAIL = { to: 'maria@example.com', subject: 'Tu pago', text: 'Hola', html: '<p>Hola</p>' };

/** Sends one mail to a server with these options, and returns the data that the server received. */
async function send(options: SMTPServerOptions, requireTls: boolean): Promise<string> {
  let received = '';
  const server = new SMTPServer({
    authOptional: true,
    ...options,
    onData: (stream, _, done) => {
      stream.on('data', chunk => (received += chunk));
      stream.on('end', () => done());
    },
  });
  // A client that does not trust the certificate closes the connection.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const mailer = openMailer(`smtp://127.0.0.1:${port}`, 'pagos@tienda.co', requireTls);
  atTheEnd(() => {
    mailer.close();
    return new Promise<void>(resolve => server.close(resolve));
  });
  const outcome = await mailer.send(MAIL).then(
    () => 'sent',
    ({ message }) => message,
  );
  return received ? outcome : `nothing received; ${outcome}`;
}

describe('a mail server for which TLS is required', () => {
  it('receives nothing if it does not offer TLS', async () => {
    expect(await send({ disabledCommands: ['STARTTLS'] }, true)).toMatch(/^nothing received; mailer: e-mail not sent/);
    expect(await send({ disabledCommands: ['STARTTLS'] }, false)).toBe('sent');
  });

  it('receives no e-mail if its certificate has no trusted issuer', async () => {
    expect(await send(createSelfSigned('mail.example'), true)).toMatch(/^nothing received; mailer: e-mail not sent/);
  });
});
