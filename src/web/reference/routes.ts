/** `/docs`: the reference and the guides. Pages are rendered on the first request and cached. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../../prisma/generated/enums';
import { type Html, html } from '../../platform/html';
import { fromRoot } from '../../platform/root';
import { pageOf, sendFramed, wantsPage } from '../front/frame';
import { frontTexts } from '../front/texts';
import { docsScript, docsStyle } from '../look/assets';
import { ApiReference } from './document';
import { guideNames, guideOf, isForMerchants } from './guides';
import { type ReferencePage, referencePages, titleOfTag } from './pages';
import { searchIndex } from './searchIndex';

const { sandbox: stripe, skip } = frontTexts.en;

const search = html`<search><label class="skip" for="find">Search</label>
<input id="find" type="search" placeholder="Search  /" autocomplete="off" aria-controls="found" hidden>
<ul id="found" aria-live="polite" hidden></ul></search>
<button type="button" class="menu" aria-controls="rail" aria-expanded="false" hidden>Contents</button>`;

const links = (entries: [url: string, title: string][], current: string): Html =>
  html`<ul>${entries.map(
    ([url, title]) => html`<li><a href="${url}"${current === url && html` aria-current="page"`}>${title}</a></li>`,
  )}</ul>`;

const guideLinks = (names: string[], current: string): Html =>
  links(
    names.map(name => [`/docs/guides/${name}`, name === 'readme' ? 'Tour' : (guideOf(name)?.title ?? name)]),
    current,
  );

function rail(reference: ApiReference, current: string): Html {
  const tags = reference.tags.filter(({ name }) => name !== 'events');
  return html`<nav id="rail" class="rail" aria-label="Documentation">
${links([['/docs', 'Overview']], current)}
<h2>Guides</h2>${guideLinks(guideNames.filter(isForMerchants), current)}
<h2>Reference</h2>${links(
    [
      ['/docs/errors', 'Errors'],
      ['/docs/events', 'Events and signatures'],
    ],
    current,
  )}
<h2>Operations</h2>${links(
    tags.map(({ name }) => [`/docs/${name}`, titleOfTag(name)]),
    current,
  )}
<h2>Running recaudo</h2>${guideLinks(
    guideNames.filter(name => !isForMerchants(name)),
    current,
  )}
</nav>`;
}

const render = (environment: Environment, reference: ApiReference, { path, title, body }: ReferencePage): string =>
  pageOf({
    language: 'en',
    title: `${title} – recaudo`,
    style: docsStyle.url,
    script: docsScript.url,
    stripe: environment === 'sandbox' && stripe,
    skip,
    bar: search,
    body: html`<div class="docs">${rail(reference, path)}<main id="content" class="text">${body}</main></div>`,
  });

/** Images of the guides. */
function addPictures(server: FastifyInstance): void {
  for (const name of readdirSync(fromRoot('dist/pictures'))) {
    const picture = readFileSync(fromRoot(`dist/pictures/${name}`));
    server.get(`/docs/pictures/${name}`, (_, reply) =>
      reply
        .headers({ 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' })
        .type('image/png')
        .send(picture),
    );
  }
}

export function addReference(server: FastifyInstance, environment: Environment, publicUrl: string): void {
  addPictures(server);
  let reference: ApiReference | undefined;
  let pages: Map<string, ReferencePage> | undefined;
  const rendered = new Map<string, { plain: string; zipped: Buffer }>();

  const find = (path: string) => {
    reference ??= new ApiReference(environment);
    pages ??= new Map(referencePages(reference, publicUrl).map(page => [page.path, page]));
    const page = pages.get(path);
    if (!page) return undefined;
    const known = rendered.get(path);
    if (known) return known;
    const plain = render(environment, reference, page);
    const made = { plain, zipped: gzipSync(plain) };
    rendered.set(path, made);
    return made;
  };

  for (const url of ['/docs', '/docs/:name', '/docs/guides/:name'])
    server.get(url, (request, reply) => {
      const path = request.url.split(/[?#]/)[0]?.replace(/\/$/, '') ?? '';
      const page = wantsPage(request) ? find(path) : undefined;
      if (!page) return reply.callNotFound();
      const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
      if (isZipped) reply.header('content-encoding', 'gzip');
      return sendFramed(reply, 'en', isZipped ? page.zipped : page.plain);
    });
  server.get('/docs/search.json', (_, reply) => {
    reference ??= new ApiReference(environment);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(searchIndex(reference)));
  });
}
