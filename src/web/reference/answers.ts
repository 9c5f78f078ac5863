/** What the examples answer: recorded from the API itself by the test that runs them (`npm run answers`). */
import { readFileSync } from 'node:fs';
import { fromRoot } from '../../platform/root';

const answers = JSON.parse(readFileSync(fromRoot('src/web/reference/answers.json'), 'utf8')) as Record<string, unknown>;

/** Undefined where an operation answers nothing. */
export const exampleAnswerOf = (operation: string): unknown => answers[operation];
