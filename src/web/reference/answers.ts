/** Responses of the examples, recorded from the API itself by the test that runs them (`npm run answers`). */
import answers from './answers.json';

/** Undefined where an operation answers nothing. */
export const exampleAnswerOf = (operation: string): unknown => (answers as Record<string, unknown>)[operation];
