import * as parse from './parsers';

const page = (description: string) => ({
  environment: 'sandbox' as const,
  description,
  defaultValue: undefined,
  read: parse.httpUrl,
});

/** Pages of other programs that the front page of the sandbox leads to, as browsers reach them. */
export const neighbourVariables = {
  TEMPORAL_UI_URL: page('where browsers reach the Temporal UI, for the front page; unset: it does not lead there'),
  INBOX_URL: page('the same for the inbox of a mail catcher'),
  JOURNAL_URL: page("the same for the simulated acquirer's journal"),
};
