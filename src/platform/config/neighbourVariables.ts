import * as parse from './parsers';

const page = (description: string) => ({
  environment: 'sandbox' as const,
  description,
  defaultValue: undefined,
  read: parse.httpUrl,
});

/** Pages that the front page of the sandbox and the operator page link to, as browsers reach them. */
export const neighbourVariables = {
  TEMPORAL_UI_URL: {
    description: 'address of the Temporal UI, linked from the operator page and the front page; unset: no link',
    defaultValue: undefined,
    read: parse.httpUrl,
  },
  INBOX_URL: page("address of a mail catcher's inbox, linked from the front page; unset: no link"),
  JOURNAL_URL: page("address of the simulated acquirer's journal, linked from the front page; unset: no link"),
};
