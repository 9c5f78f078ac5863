/** The guides of docs/, rendered by the build. */
import { readFileSync } from 'node:fs';
import { Html } from '../../platform/html';
import { fromRoot } from '../../platform/root';

interface Guide {
  title: string;
  html: string;
  headings: { id: string; depth: number; text: string }[];
}

const { about, guides } = JSON.parse(readFileSync(fromRoot('dist/guides.json'), 'utf8')) as {
  about: string;
  guides: Record<string, Guide>;
};

/** Introduction of the OpenAPI document. */
export const introduction = new Html(about);

export const guideNames = Object.keys(guides);

const MERCHANT_GUIDES = ['readme', 'api', 'dashboard', 'webhooks', 'decisions', 'going-live'];
export const isForMerchants = (name: string): boolean => MERCHANT_GUIDES.includes(name);
export const guideOf = (name: string): Guide | undefined => guides[name];

/** Section below a heading of a guide, up to the next heading of the same depth. */
export function sectionOf(name: string, id: string): Html {
  const text = guides[name]?.html ?? '';
  const start = text.indexOf(`<h2 id="${id}">`);
  const end = text.indexOf('<h2 ', start + 1);
  const section = start < 0 ? '' : text.slice(start, end < 0 ? undefined : end);
  return new Html(
    section.replace(/href="#([^"]*)/g, (link, to) => (to === id ? link : `href="/docs/guides/${name}#${to}`)),
  );
}
