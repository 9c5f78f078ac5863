import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import pino from 'pino';
import { type Mailbox, openMailbox } from '../../src/local/mailbox/mailbox';
import type { Message } from '../../src/local/mailbox/message';
import { testBrowser } from '../harness/browser/browser';
import { testPort } from '../harness/servers/port';
import { Program } from '../harness/servers/program';

const directory = mkdtempSync(join(tmpdir(), 'recaudo-mail-'));
const { browser } = testBrowser();
let mailbox: Mailbox;

const startMailbox = async (maxMessages?: number): Promise<void> => {
  // A program of another test may have taken a port that was free a moment before.
  mailbox = await openMailbox({ directory, smtpPort: 0, mailPort: 0, maxMessages }, pino({ level: 'silent' }));
};
beforeAll(() => startMailbox());
beforeEach(() => fetch(`${mailbox.url}/messages`, { method: 'DELETE' }));
afterAll(async () => {
  await mailbox.close();
  rmSync(directory, { recursive: true });
});

const send = (mail: SendMailOptions) =>
  createTransport(mailbox.smtpUrl).sendMail({
    from: 'recaudo <no-reply@recaudo.localhost>',
    to: 'maria@example.com',
    subject: 'A mail',
    text: 'Hello.',
    ...mail,
  });
const list = async (query = ''): Promise<Message[]> =>
  (await (await fetch(`${mailbox.url}/messages${query}`)).json()) as Message[];
const subjects = async (query = ''): Promise<string[]> => (await list(query)).map(({ subject }) => subject);
const files = (): string[] => readdirSync(directory);
const fetchPage = async (path: string) => {
  const response = await fetch(`${mailbox.url}${path}`);
  return { status: response.status, headers: response.headers, html: await response.text() };
};

describe('the mail catcher', () => {
  it('stores mail received by SMTP and lists it as JSON, newest first', async () => {
    const before = Date.now();
    await send({ subject: 'Tu pago de mañana', text: 'Señora María:\n\n¡Gracias!', html: '<p>¡Gracias!</p>' });
    await send({ subject: 'The second' });
    const [second, first] = await list();
    expect(first).toEqual({
      id: expect.stringMatching(/^[\w.-]+$/),
      from: '"recaudo" <no-reply@recaudo.localhost>',
      reply_to: null,
      to: ['maria@example.com'],
      subject: 'Tu pago de mañana',
      date: expect.any(String),
      text: 'Señora María:\n\n¡Gracias!',
      html: '<p>¡Gracias!</p>',
    });
    expect(second).toMatchObject({ subject: 'The second', text: 'Hello.\n', html: null });
    expect(Date.parse(first?.date ?? '')).toBeGreaterThanOrEqual(before);
    expect(Date.parse(second?.date ?? '')).toBeGreaterThan(Date.parse(first?.date ?? ''));
    expect(await (await fetch(`${mailbox.url}/health`)).json()).toEqual({ status: 'up' });
  });

  it('derives no text from an HTML mail', async () => {
    await send({ text: undefined, html: '<p>Only this</p>' });
    expect(await list()).toMatchObject([{ text: null, html: '<p>Only this</p>\n' }]);
  });

  it('filters by recipient, including Bcc recipients that no header names', async () => {
    await send({ subject: 'To one', to: 'María <Maria@example.com>' });
    await send({ subject: 'To two', to: ['maria@example.com', 'jose@example.com'] });
    await send({ subject: 'Unseen', to: 'jose@example.com', bcc: 'ana+blind@example.com' });
    expect(await subjects('?to=maria@example.com')).toEqual(['To two', 'To one']);
    expect(await subjects(`?to=${encodeURIComponent('ana+blind@example.com')}`)).toEqual(['Unseen']);
    expect(await subjects('?to=maria')).toEqual([]);
    expect(await list('?to=jose@example.com')).toMatchObject([
      { to: ['jose@example.com', 'ana+blind@example.com'] },
      { to: ['maria@example.com', 'jose@example.com'] },
    ]);
  });

  it('keeps mail across a restart, in files readable only by their owner', async () => {
    await send({ subject: 'Kept' });
    await send({ subject: 'Kept too', to: 'jose@example.com' });
    const before = await list();
    expect(files()).toEqual([...before].reverse().map(({ id }) => `${id}.eml`));
    for (const file of files()) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    await mailbox.close();
    await startMailbox();
    expect(await list()).toEqual(before);
  });

  it('keeps only the newest mail up to its limit', async () => {
    await send({ subject: 'Before' });
    await mailbox.close();
    await startMailbox(3);
    for (const subject of ['One', 'Two', 'Three']) await send({ subject });
    expect(await subjects()).toEqual(['Three', 'Two', 'One']);
    expect(files()).toHaveLength(3);
    await mailbox.close();
    await startMailbox(2);
    expect(await subjects()).toEqual(['Three', 'Two']);
    expect(files()).toHaveLength(2);
    await mailbox.close();
    await startMailbox();
  });

  it('DELETE /messages removes everything', async () => {
    await send({});
    expect((await fetch(`${mailbox.url}/messages`, { method: 'DELETE' })).status).toBe(204);
    expect([await list(), files()]).toEqual([[], []]);
  });

  it('refuses more than 1 MB, whether or not the sender declares the size, and keeps working', async () => {
    await expect(send({ text: 'x'.repeat(1_100_000) })).rejects.toMatchObject({ responseCode: 552 });
    expect(await sendWithoutSize('x'.repeat(1_100_000))).toContain('552 The message exceeds 1 MB');
    await send({ subject: 'A small one' });
    expect(await subjects()).toEqual(['A small one']);
  });

  it('closes while a sender is still connected', async () => {
    const sender = createTransport({ url: mailbox.smtpUrl, pool: true });
    await sender.sendMail({ from: 'a@example.com', to: 'b@example.com', text: 'Hello.' });
    await mailbox.close();
    sender.close();
    await startMailbox();
  });
});

/** Sends a mail without declaring its size first. */
function sendWithoutSize(text: string): Promise<string> {
  const lines = ['EHLO test', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA', `${text}\r\n.`, 'QUIT'];
  return new Promise((resolve, reject) => {
    let output = '';
    const socket = connect(Number(new URL(mailbox.smtpUrl).port), '127.0.0.1');
    socket.on('data', chunk => {
      output += chunk;
      // The last line of an SMTP reply has a space after its code.
      if (/^\d{3} .*\r\n$/m.test(chunk.toString())) socket.write(`${lines.shift()}\r\n`);
    });
    socket.once('error', reject).once('close', () => resolve(output));
  });
}

describe('the mail page', () => {
  const SCRIPT = '<script>alert(1)</script>';

  it('shows that there is no mail yet', async () => {
    const { status, headers, html } = await fetchPage('/');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toContain('No mail yet.');
    expect(html).toContain('<html lang="en">');
  });

  it('lists mail and shows a message with clickable URLs', async () => {
    await send({ subject: 'Your receipt', text: 'See https://tienda.co/r?a=1&b=2. Or (http://tienda.co/"x).' });
    const [message] = await list();
    const inbox = await fetchPage('/');
    for (const shown of [
      '>Your receipt</a>',
      'no-reply@recaudo.localhost',
      'to maria@example.com',
      message?.date ?? '',
    ])
      expect(inbox.html).toContain(shown);
    const [, path = ''] = /href="(\/messages\/[^"]+)"/.exec(inbox.html) ?? [];
    const { status, html } = await fetchPage(path);
    expect(status).toBe(200);
    expect(html).toContain('<title>Your receipt – recaudo mail</title>');
    expect(html).toContain('<a href="https://tienda.co/r?a=1&amp;b=2" rel="noreferrer">');
    expect(html).toContain('(<a href="http://tienda.co/" rel="noreferrer">http://tienda.co/</a>&quot;x)');
  });

  it('escapes HTML and shows everything as text', async () => {
    const hostile = { name: `"><img src=x onerror=alert(1)>`, address: 'eve@example.com' };
    await send({ from: hostile, subject: SCRIPT, text: `${SCRIPT} javascript:alert(1) https://x/'><b>` });
    await send({ subject: '', text: undefined, html: SCRIPT });
    for (const path of ['/', ...(await list()).map(({ id }) => `/messages/${id}`)]) {
      const { html } = await fetchPage(path);
      expect(html).not.toMatch(/<(script|img|b)\b/);
      expect(html).not.toMatch(/href="(?!https?:|\/)/);
      expect(html).toMatch(/&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    }
  });

  it('has a Content-Security-Policy that allows only its own stylesheet', async () => {
    await send({});
    for (const path of ['/', `/messages/${(await list())[0]?.id}`, '/messages/..%2f..%2fpackage.json', '/messages']) {
      const { headers } = await fetchPage(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect((await fetchPage('/mailbox.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  it('responds 404 to an unknown mail', async () => {
    for (const path of ['/messages/nothing', '/messages/..%2f..%2fpackage.json'])
      expect(await fetchPage(path)).toMatchObject({
        status: 404,
        html: expect.stringContaining('There is no such mail'),
      });
  });

  it('fits on a small screen', async () => {
    const long = 'x'.repeat(200);
    await send({ subject: long, from: `${'y'.repeat(60)}@example.com`, text: `https://tienda.co/${long}\n${long}` });
    const view = await browser().newPage({ viewport: { width: 360, height: 640 } });
    const errors: string[] = [];
    view.on('console', message => message.type() === 'error' && errors.push(message.text()));
    for (const path of ['/', `/messages/${(await list())[0]?.id}`]) {
      await view.goto(`${mailbox.url}${path}`);
      expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(360);
      expect(await view.evaluate('getComputedStyle(document.body).paddingLeft')).toBe('16px');
    }
    expect(errors).toEqual([]);
    await view.close();
  });
});

describe('the mailbox program', () => {
  it('prints its addresses, or why it cannot start', async () => {
    const [SMTP_PORT, MAIL_PORT] = [`${await testPort()}`, `${await testPort()}`];
    const program = new Program('mailbox', { SMTP_PORT, MAIL_PORT, MAIL_DIR: directory });
    await program.waitForOutput(
      `receiving e-mails at smtp://127.0.0.1:${SMTP_PORT}, showing them at http://127.0.0.1:${MAIL_PORT}`,
    );
    const second = new Program('mailbox', { SMTP_PORT, MAIL_PORT, MAIL_DIR: directory });
    expect(await second.exited).toBe(1);
    expect(second.output).toContain(`Port ${SMTP_PORT} is in use by another program.`);
    expect(await program.stop()).toBe(0);
  });
});
