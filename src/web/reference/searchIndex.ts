/** Search index of the reference: operations, errors, events and headings of the guides. */
import { ERRORS } from '../../platform/errors';
import type { ApiReference } from './document';
import { guideNames, guideOf, isForMerchants } from './guides';
import { titleOfTag } from './pages';

type SearchEntry = readonly [title: string, where: string, url: string];

export const searchIndex = (reference: ApiReference): SearchEntry[] => [
  ...reference.operations.map(
    ({ id, method, path, summary, tag }): SearchEntry => [
      summary,
      `${method} ${path.replace('/v1/{merchant_id}', '') || '/'} · ${titleOfTag(tag)}`,
      `/docs/${tag}#${id}`,
    ],
  ),
  ...ERRORS.map(
    ({ code, status, text }): SearchEntry => [`${code} ${text}`, `Error, HTTP ${status}`, '/docs/errors#codes'],
  ),
  ...reference.events.map(({ type, occasion }): SearchEntry => [type, occasion, '/docs/events']),
  ...guideNames.flatMap(name => {
    const { title = name, headings = [] } = guideOf(name) ?? {};
    const page: SearchEntry = [title, isForMerchants(name) ? 'Guide' : 'Operations guide', `/docs/guides/${name}`];
    return [page, ...headings.map(({ id, text }): SearchEntry => [text, title, `/docs/guides/${name}#${id}`])];
  }),
];
