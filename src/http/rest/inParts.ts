/** The text of an answer that is read part by part, as JSON or as CSV. */
import type { ReadInParts } from '../../schema/parts';
import { rendererOf } from '../../schema/render';
import { type Class, shapeOf } from '../../schema/shapes';
import type { SentResponse } from '../bodyInParts';
import { JSON_TYPE } from '../request';
import { CSV_TYPE, csvHeader, csvLines, prefersCsv } from './csv';

/** The answer's one list. */
function listOf(type: Class): { name: string; element: Class } {
  const list = [...shapeOf(type).values()].find(({ kind }) => kind === 'list');
  if (!list?.of) throw new Error(`${type.name} has no list`);
  return { name: list.name, element: list.of() };
}

/** The first part is read before the response begins, so that what fails at once is answered as an error. */
export async function startInParts(type: Class, answer: ReadInParts, accept?: string): Promise<SentResponse> {
  const isCsv = prefersCsv(accept);
  const texts = isCsv ? csvTexts(type, answer) : jsonTexts(type, answer);
  const first = await texts.next();
  const file = { ...CSV_TYPE, 'content-disposition': `attachment; filename="${answer.fileName}.csv"` };
  const headers = { ...(isCsv ? file : JSON_TYPE), vary: 'Accept' };
  return { status: 200, headers, body: first.value ?? '', rest: texts };
}

async function* csvTexts(type: Class, answer: ReadInParts): AsyncGenerator<string, undefined> {
  const { element } = listOf(type);
  let header = csvHeader(element);
  for await (const records of answer.parts()) {
    yield header + csvLines(element, records);
    header = '';
  }
}

async function* jsonTexts(type: Class, answer: ReadInParts): AsyncGenerator<string, undefined> {
  const { name, element } = listOf(type);
  const render = rendererOf(element);
  // The list is not there yet, and comes last.
  let before = `${JSON.stringify(rendererOf(type)(answer)).slice(0, -1)},"${name}":[`;
  for await (const records of answer.parts()) {
    if (records.length === 0) break;
    yield before + records.map(record => JSON.stringify(render(record))).join(',');
    before = ',';
  }
  yield before === ',' ? ']}' : `${before}]}`;
}
