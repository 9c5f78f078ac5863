import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Page } from 'playwright-core';
import { testBrowser } from '../harness/browser/browser';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { mailsIn, startMailbox } from '../harness/servers/mailbox';

const { browser } = testBrowser();

/** Receives this HTML part, and opens its page. */
async function openMail(
  html: string | undefined,
  text: string | undefined,
): Promise<{ view: Page; path: string; url: string }> {
  const mailbox = await startMailbox();
  const mail = { from: 'a@example.com', to: 'b@example.com', subject: 'Receipt' };
  await createTransport(mailbox.smtpUrl).sendMail({ ...mail, html, text });
  const [message] = await mailsIn(mailbox);
  const view = await browser().newPage();
  atTheEnd(() => view.close());
  const path = `/messages/${message?.id}`;
  await view.goto(`${mailbox.url}${path}`);
  return { view, path, url: mailbox.url };
}

/** A website that counts its requests. */
async function countingSite(): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  atTheEnd(() => server.close());
  await new Promise(resolve => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

it('shows the HTML part of a mail beside its text, with its styles', async () => {
  const { view } = await openMail('<p style="color: rgb(1, 2, 3)">¡Gracias, María!</p>', 'Gracias en texto.');
  await view.getByText('Gracias en texto.').waitFor();
  await view.frameLocator('iframe').getByText('¡Gracias, María!').waitFor();
  expect(await view.frames()[1]?.evaluate("getComputedStyle(document.querySelector('p')).color")).toBe('rgb(1, 2, 3)');
});

it('shows no frame without an HTML part', async () => {
  const { view, path, url } = await openMail(undefined, 'Only text.');
  await view.getByText('Only text.').waitFor();
  expect(await view.locator('iframe').count()).toBe(0);
  expect((await fetch(`${url}${path}/html`)).status).toBe(404);
});

it('runs no script of the HTML part, and requests nothing from other sites', async () => {
  const { url: site, paths } = await countingSite();
  const { view, path, url } = await openMail(
    `<meta http-equiv="refresh" content="0; url=${site}/refresh"><link rel="stylesheet" href="${site}/style">
     <style>@import url(${site}/import); p { background: url(${site}/background) }</style><base href="${site}/">
     <script>parent.document.title = 'broken'; location = '${site}/script'</script><script src="${site}/src"></script>
     <img src="${site}/img" onerror="parent.document.title = 'broken'"><iframe src="${site}/frame"></iframe>
     <form action="${site}/form"><button>Pay</button></form><a href="${site}/link">Link</a><p>The last</p>`,
    'Text.',
  );
  const frame = view.frameLocator('iframe').first();
  await frame.getByText('The last').waitFor();
  await frame.getByText('Pay').click();
  await frame.getByText('Link').click();
  // Opened by itself, the part is restricted as well.
  await view.goto(`${url}${path}/html`);
  await view.getByText('The last').waitFor();
  await view.getByText('Pay').click();
  await view.goto(`${site}/last`);
  expect(paths).toEqual(['/last']);
  const { headers } = await fetch(`${url}${path}/html`);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/);
});
