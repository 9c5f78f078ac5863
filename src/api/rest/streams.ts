/** Texts of responses that are read part by part, as JSON or CSV. */

import { rendererOf } from '../../schema/render';
import { type Class, shapeOf } from '../../schema/shapes';
import type { StreamedResult } from '../../schema/streamedResult';
import { JSON_TYPE } from '../request';
import type { StreamableResponse } from '../streamBody';
import { CSV_TYPE, csvHeader, csvLines, prefersCsv } from './csv';

/** The only list of the response. */
function listOf(type: Class): { name: string; element: Class } {
  const list = [...shapeOf(type).values()].find(({ kind }) => kind === 'list');
  if (!list?.of) throw new Error(`${type.name} has no list`);
  return { name: list.name, element: list.of() };
}

export async function startStream(type: Class, answer: StreamedResult, accept?: string): Promise<StreamableResponse> {
  if (prefersCsv(accept)) return startCsvStream(listOf(type).element, answer);
  return start(jsonTexts(type, answer), JSON_TYPE);
}

export const startCsvStream = (element: Class, { parts, fileName }: StreamedResult): Promise<StreamableResponse> =>
  start(csvTexts(element, parts()), {
    ...CSV_TYPE,
    'content-disposition': `attachment; filename="${fileName}.csv"`,
  });

/** Reads the first part before the response begins, so that early failures return an error. */
async function start(
  texts: AsyncGenerator<string, undefined>,
  headers: Record<string, string>,
): Promise<StreamableResponse> {
  const first = await texts.next();
  return { status: 200, headers: { ...headers, vary: 'Accept' }, body: first.value ?? '', rest: texts };
}

async function* csvTexts(element: Class, parts: AsyncGenerator<object[]>): AsyncGenerator<string, undefined> {
  let header = csvHeader(element);
  for await (const records of parts) {
    yield header + csvLines(element, records);
    header = '';
  }
}

export interface ListWindow {
  edges: { node: object }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** Reads a whole list through its connection, because cursors stay valid while records are added. */
export async function* readWholeList(read: (after?: string) => Promise<ListWindow>): AsyncGenerator<object[]> {
  for (let after: string | undefined; ; ) {
    const { edges, pageInfo } = await read(after);
    yield edges.map(({ node }) => node);
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return;
    after = pageInfo.endCursor;
  }
}

async function* jsonTexts(type: Class, answer: StreamedResult): AsyncGenerator<string, undefined> {
  const { name, element } = listOf(type);
  const render = rendererOf(element);
  // The list comes last.
  let before = `${JSON.stringify(rendererOf(type)(answer)).slice(0, -1)},"${name}":[`;
  for await (const records of answer.parts()) {
    if (records.length === 0) break;
    yield before + records.map(record => JSON.stringify(render(record))).join(',');
    before = ',';
  }
  yield before === ',' ? ']}' : `${before}]}`;
}
