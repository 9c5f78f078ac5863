/** Branding of a merchant: logo, colour and support contact. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Profile } from '../../accounts/merchants/profile';
import { rejectOtherMethods } from '../../api/methodNotAllowed';
import { darkenFor, lightenFor } from '../../platform/colour';
import type { Database } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import { type Html, html } from '../../platform/html';
import type { Texts } from '../texts';
import { IMMUTABLE_HEADERS } from './assets';

export type Appearance = Pick<Profile, 'website' | 'support_email' | 'support_phone' | 'logo' | 'colour'>;

/** Backgrounds with the least contrast: the darkest light one and the lightest dark one. */
const LIGHT_GROUND = '#f5f7f9';
const DARK_GROUND = '#131a21';

const LOGO = /^[0-9a-f]{32}\.(png|jpg)$/;
const LOGO_TYPES = { png: 'image/png', jpg: 'image/jpeg' };

export const appearanceHead = ({ colour }: Appearance): Html =>
  html`${colour && html`<link rel="stylesheet" href="/pages/colours/${colour.slice(1)}.css">`}`;

/** Replaces the merchant's name if there is a logo. */
export const merchantMark = (appearance: Appearance | undefined, name: string): Html =>
  appearance?.logo
    ? html`<img class="logo" src="/logos/${appearance.logo}" alt="${name}">`
    : html`<span>${name}</span>`;

export function supportFooter(t: Texts, { website, support_email, support_phone }: Appearance): Html {
  const ways = [
    support_email && html`<a href="mailto:${support_email}">${support_email}</a>`,
    support_phone && html`<a href="tel:${support_phone.replace(/[^+\d]/g, '')}">${support_phone}</a>`,
    website && html`<a href="${website}" rel="noreferrer">${new URL(website).host}</a>`,
  ].filter(way => way instanceof Object);
  return ways.length === 0
    ? html``
    : html`<footer><p>${t.questions}</p><ul>${ways.map(way => html`<li>${way}</li>`)}</ul></footer>`;
}

const MAX_REMEMBERED_LOGOS = 100;
const rememberedLogos = new Map<string, Uint8Array>();

/** Names are content hashes, so cached logos never change. */
async function loadLogo(db: Database, name: string): Promise<Uint8Array | undefined> {
  const remembered = rememberedLogos.get(name);
  if (remembered || !LOGO.test(name)) return remembered;
  const logo = await db.logo.findUnique({ where: { name } });
  if (!logo) return undefined;
  if (rememberedLogos.size >= MAX_REMEMBERED_LOGOS) rememberedLogos.clear();
  rememberedLogos.set(name, logo.content);
  return logo.content;
}

/** The CSP forbids inline styles, so the colour is served as a file. */
function colourStyle(colour: string): string {
  const [onLight, onDark] = [darkenFor(LIGHT_GROUND, colour), lightenFor(DARK_GROUND, colour)];
  const both = `--accent:light-dark(${onLight},${onDark});--on-accent:light-dark(#ffffff,${DARK_GROUND})`;
  return `:root{--accent:${onLight};--merchant:${colour}}@supports (color:light-dark(red,red)){:root{${both}}}\n`;
}

/** `isTooMany` counts unknown names and returns whether they exceed the limit. */
export function addAppearanceFiles(
  server: FastifyInstance,
  db: Database,
  isTooMany: (request: FastifyRequest) => Promise<boolean>,
): void {
  server.get<{ Params: { name: string } }>('/logos/:name', async (request, reply) => {
    const { name } = request.params;
    const logo = await loadLogo(db, name);
    if (!logo) throw new ApiError((await isTooMany(request)) ? 'too_many' : 'not_found');
    const type = LOGO_TYPES[name.endsWith('.png') ? 'png' : 'jpg'];
    // An SVG could contain scripts or links.
    const headers = { ...IMMUTABLE_HEADERS, 'content-security-policy': "default-src 'none'; sandbox" };
    return reply.headers(headers).type(type).send(Buffer.from(logo));
  });
  server.get<{ Params: { colour: string } }>('/pages/colours/:colour.css', async ({ params: { colour } }, reply) => {
    if (!/^[0-9a-f]{6}$/.test(colour)) return reply.callNotFound();
    return reply
      .headers(IMMUTABLE_HEADERS)
      .type('text/css; charset=utf-8')
      .send(colourStyle(`#${colour}`));
  });
  for (const url of ['/logos/:name', '/pages/colours/:colour.css']) rejectOtherMethods(server, url, ['GET']);
}
