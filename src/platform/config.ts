/** Every variable the program reads. A process asks for those it needs and is told of everything that is wrong at once. */
import { resolve } from 'node:path';
import {
  readKey,
  readNetworks,
  readOneOf,
  readPort,
  readPublicUrl,
  readSecret,
  readUrl,
  readVaultKeys,
  refuse,
} from './configParsers';

/** Good on a developer's machine only: production refuses all of them. */
const DEFAULT_API_KEY_SECRET = 'recaudo-development-only-secret-0000';
const DEFAULT_ACQUIRER_KEY = 'recaudo-development-only-acquirer-key';
const DEFAULT_DATABASE_PASSWORD = 'recaudo';
const DEFAULT_SENDER = 'recaudo <no-reply@recaudo.localhost>';
const DEFAULT_SMTP_URL = 'smtp://127.0.0.1:2525';

interface Variable<T> {
  about: string;
  /** A variable without this must be given. */
  otherwise?: T;
  /** Throws what is wrong as a sentence that goes on after the variable's name. */
  read(text: string, production: boolean): T;
}

export const variables = {
  NODE_ENV: {
    about: '`development`, `test` or `production`; production refuses default secrets and the embedded parts',
    otherwise: 'development',
    read: readOneOf('development', 'test', 'production'),
  },
  HOST: { about: 'the address that the API listens on', otherwise: '127.0.0.1', read: String },
  PORT: { about: 'where the sandbox answers', otherwise: 3000, read: readPort },
  PRODUCTION_PORT: { about: 'where the production environment answers', otherwise: undefined, read: readPort },
  PUBLIC_URL: {
    about: "where payers' browsers find the sandbox's pages, as `https://host`; absent: `http://127.0.0.1:PORT`",
    otherwise: undefined,
    read: readPublicUrl,
  },
  PRODUCTION_PUBLIC_URL: {
    about: 'the same of the production environment; absent: `http://127.0.0.1:PRODUCTION_PORT`',
    otherwise: undefined,
    read: readPublicUrl,
  },
  TRUSTED_PROXIES: {
    about: 'addresses or networks of proxies before the API, as `10.0.0.0/8,192.0.2.7`: whom they name is who asks',
    otherwise: undefined,
    read: readNetworks,
  },
  DATABASE_URL: {
    about: 'the PostgreSQL database, as `postgresql://user:password@host:5432/name`',
    read: (text, production) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
        return refuse('must look like postgresql://user:password@host:5432/name');
      }
      if (production && url.password === DEFAULT_DATABASE_PASSWORD) {
        return refuse('has the default password, which production refuses');
      }
      return text;
    },
  },
  TEMPORAL_ADDRESS: {
    about: 'the Temporal server, as `host:7233`',
    read: text =>
      /^([^\s/:]+|\[[0-9a-f:]+\]):\d{1,5}$/i.test(text) ? text : refuse(`is "${text}", but must look like host:7233`),
  },
  TEMPORAL_NAMESPACE: { about: 'the namespace on that server', otherwise: 'default', read: String },
  API_KEY_SECRET: {
    about: 'what API keys are hashed with, at least 32 characters, the same for all processes of one database',
    otherwise: DEFAULT_API_KEY_SECRET,
    read: readSecret(DEFAULT_API_KEY_SECRET),
  },
  VAULT_KEYS: {
    about:
      'what card numbers are sealed with, as `id:key,id:key`, each key 32 bytes in base64; the first one seals, all open',
    read: readVaultKeys,
  },
  VAULT_FINGERPRINT_KEY: {
    about: 'what equal card numbers are told by, 32 bytes in base64, never changed',
    read: readKey,
  },
  ACQUIRER_URL: { about: 'the acquirer of the sandbox, as `http://host:port`', read: readUrl },
  ACQUIRER_KEY: {
    about: 'the credential there, at least 32 characters',
    otherwise: DEFAULT_ACQUIRER_KEY,
    read: readSecret(DEFAULT_ACQUIRER_KEY),
  },
  PRODUCTION_ACQUIRER_URL: {
    about: 'the acquirer of the production environment; needed with PRODUCTION_PORT',
    otherwise: undefined,
    read: readUrl,
  },
  PRODUCTION_ACQUIRER_KEY: {
    about: 'the credential there; needed with PRODUCTION_PORT',
    otherwise: undefined,
    read: readSecret(DEFAULT_ACQUIRER_KEY),
  },
  ACQUIRER_PORT: { about: 'where the simulated acquirer answers', otherwise: 3100, read: readPort },
  ACQUIRER_PUBLIC_URL: {
    about: "where payers' browsers find the simulated acquirer; absent: `http://127.0.0.1:ACQUIRER_PORT`",
    otherwise: undefined,
    read: readUrl,
  },
  ACQUIRER_JOURNAL: {
    about: 'the file in which the simulated acquirer keeps its journal',
    otherwise: '.data/journal.ndjson',
    read: text => resolve(text),
  },
  NOTIFICATION_URL: {
    about: 'where the simulated acquirer tells the API what others have decided; several with commas between',
    otherwise: 'http://127.0.0.1:3000/notifications/acquirer',
    read: text => text.split(',').map(readUrl),
  },
  SMTP_URL: {
    about: 'where mail is handed over, as `smtp://user:password@host:587` or `smtps://…`',
    otherwise: DEFAULT_SMTP_URL,
    read: (text, production) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (!url?.hostname || !/^smtps?:$/.test(url.protocol))
        return refuse('must look like smtp://user:password@host:587 or smtps://…');
      return production && text === DEFAULT_SMTP_URL ? refuse('must be a server of your own in production') : text;
    },
  },
  MAIL_FROM: {
    about: 'the sender of mail to payers and merchants',
    otherwise: DEFAULT_SENDER,
    read: (text, production) => {
      if (production && text === DEFAULT_SENDER) return refuse('must be a sender of your own in production');
      return /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)
        ? text
        : refuse(`is "${text}", but must look like Name <name@host>`);
    },
  },
  SMTP_PORT: { about: 'where the embedded mail catcher takes mail', otherwise: 2525, read: readPort },
  MAIL_PORT: { about: 'where the embedded mail catcher shows it', otherwise: 3200, read: readPort },
  MAIL_DIR: {
    about: 'the directory in which the embedded mail catcher keeps it',
    otherwise: '.data/mail',
    read: text => resolve(text),
  },
  LOG_LEVEL: {
    about: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    otherwise: 'info',
    read: readOneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  DATA_DIR: {
    about: 'where the embedded parts of `npm start` keep their state',
    otherwise: '.data',
    read: text => resolve(text),
  },
} satisfies Record<string, Variable<unknown>>;

export type Name = keyof typeof variables;
type Value<N extends Name> =
  | ReturnType<(typeof variables)[N]['read']>
  | ((typeof variables)[N] extends { otherwise: undefined } ? undefined : never);
export type Config<N extends Name> = { [K in N]: Value<K> };

export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

export function readConfig<N extends Name>(names: readonly N[], env: NodeJS.ProcessEnv = process.env): Config<N> {
  const production = env.NODE_ENV?.trim() === 'production';
  const problems: string[] = [];
  const value = (name: Name): unknown => {
    const { read, otherwise, about }: Variable<unknown> = variables[name];
    // A default is read like a given value, so that production can refuse it.
    const text = env[name]?.trim() || otherwise?.toString();
    try {
      if (text !== undefined) return read(text, production);
      if (!('otherwise' in variables[name])) refuse(`is missing: ${about.replaceAll('`', '')}`);
    } catch (problem) {
      problems.push(`${name} ${(problem as Error).message}.`);
    }
  };
  const config = Object.fromEntries(names.map(name => [name, value(name)]));
  if (config.PORT !== undefined && config.PORT === config.PRODUCTION_PORT)
    problems.push('PRODUCTION_PORT must differ from PORT.');
  if (config.PRODUCTION_PORT !== undefined && names.includes('PRODUCTION_ACQUIRER_URL' as N)) {
    for (const name of ['PRODUCTION_ACQUIRER_URL', 'PRODUCTION_ACQUIRER_KEY'] as const)
      if (config[name] === undefined) problems.push(`${name} is missing: it is needed with PRODUCTION_PORT.`);
    if (production && config.PRODUCTION_ACQUIRER_URL === config.ACQUIRER_URL)
      problems.push('PRODUCTION_ACQUIRER_URL must differ from ACQUIRER_URL, whose money is not real.');
  }
  for (const [name, port] of [
    ['PUBLIC_URL', 'PORT'],
    ['PRODUCTION_PUBLIC_URL', 'PRODUCTION_PORT'],
  ] as const) {
    const isNeeded = production && names.includes(name as N) && config[port] !== undefined;
    if (isNeeded && !env[name]?.trim()) problems.push(`${name} is missing: payers must find our pages.`);
  }
  if (production && names.includes('TRUSTED_PROXIES' as N) && !env.TRUSTED_PROXIES?.trim())
    problems.push('TRUSTED_PROXIES is missing: only the proxy that speaks https knows who asks.');
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config<N>;
}
