import * as parse from './parsers';
import { temporalTlsVariables } from './security/temporalTls';

/** The Temporal server, and the SDK that works with it. */
export const temporalVariables = {
  TEMPORAL_ADDRESS: {
    description: 'Temporal server, as `host:7233`',
    read: (text: string): string =>
      /^([^\s/:]+|\[[0-9a-f:]+\]):\d{1,5}$/i.test(text)
        ? text
        : parse.fail(`is "${text}", but must look like host:7233`),
  },
  TEMPORAL_NAMESPACE: { description: 'namespace on the Temporal server', defaultValue: 'default', read: String },
  ...temporalTlsVariables,
  TEMPORAL_WORKER_PATCH: {
    description: '`false` runs the SDK of Temporal in the worker without our patch, which makes replays cheaper',
    defaultValue: true,
    read: parse.boolean,
  },
  TEMPORAL_VISIBILITY_URL: {
    description: 'PostgreSQL database of Temporal’s search, whose indexes `migrate` makes smaller',
    defaultValue: undefined,
    read: parse.databaseUrl,
  },
  TEMPORAL_VISIBILITY_INDEXES: {
    description: '`partial`, or `full` to give these indexes the form that Temporal created',
    defaultValue: 'partial',
    read: parse.oneOf('partial', 'full'),
  },
};
