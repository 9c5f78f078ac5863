/** Every environment variable that the program reads: what it means, its default, and how its text is parsed. */
import { resolve } from 'node:path';
import * as parse from './configParsers';

/** For development only: production refuses all of them. */
const DEFAULT_API_KEY_SECRET = 'recaudo-development-only-secret-0000';
const DEFAULT_ACQUIRER_KEY = 'recaudo-development-only-acquirer-key';
const DEFAULT_DATABASE_PASSWORD = 'recaudo';
const DEFAULT_SENDER = 'recaudo <no-reply@recaudo.localhost>';
const DEFAULT_SMTP_URL = 'smtp://127.0.0.1:2525';

export interface Variable<T> {
  description: string;
  /** A variable without this property is required. */
  defaultValue?: T;
  /** Throws an error whose message continues a sentence that begins with the variable's name. */
  read(text: string, production: boolean): T;
}

export const variables = {
  NODE_ENV: {
    description: '`development`, `test` or `production`; production refuses default secrets and the embedded parts',
    defaultValue: 'development',
    read: parse.oneOf('development', 'test', 'production'),
  },
  HOST: { description: 'the address that the API listens on', defaultValue: '127.0.0.1', read: String },
  PORT: { description: 'where the sandbox answers', defaultValue: 3000, read: parse.port },
  PRODUCTION_PORT: {
    description: 'where the production environment answers',
    defaultValue: undefined,
    read: parse.port,
  },
  PUBLIC_URL: {
    description: "where payers' browsers find the sandbox's pages, as `https://host`; absent: `http://127.0.0.1:PORT`",
    defaultValue: undefined,
    read: parse.publicUrl,
  },
  PRODUCTION_PUBLIC_URL: {
    description: 'the same of the production environment; absent: `http://127.0.0.1:PRODUCTION_PORT`',
    defaultValue: undefined,
    read: parse.publicUrl,
  },
  TRUSTED_PROXIES: {
    description:
      'addresses or networks of proxies before the API, as `10.0.0.0/8,192.0.2.7`: whom they name is who asks',
    defaultValue: undefined,
    read: parse.networks,
  },
  DATABASE_URL: {
    description: 'the PostgreSQL database, as `postgresql://user:password@host:5432/name`',
    read: (text, production) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
        return parse.fail('must look like postgresql://user:password@host:5432/name');
      }
      if (production && url.password === DEFAULT_DATABASE_PASSWORD) {
        return parse.fail('has the default password, which production refuses');
      }
      return text;
    },
  },
  TEMPORAL_ADDRESS: {
    description: 'the Temporal server, as `host:7233`',
    read: text =>
      /^([^\s/:]+|\[[0-9a-f:]+\]):\d{1,5}$/i.test(text)
        ? text
        : parse.fail(`is "${text}", but must look like host:7233`),
  },
  TEMPORAL_NAMESPACE: { description: 'the namespace on that server', defaultValue: 'default', read: String },
  API_KEY_SECRET: {
    description: 'what API keys are hashed with, at least 32 characters, the same for all processes of one database',
    defaultValue: DEFAULT_API_KEY_SECRET,
    read: parse.secret(DEFAULT_API_KEY_SECRET),
  },
  VAULT_KEYS: {
    description:
      'what card numbers are sealed with, as `id:key,id:key`, each key 32 bytes in base64; the first one seals, all open',
    read: parse.vaultKeys,
  },
  VAULT_FINGERPRINT_KEY: {
    description: 'what equal card numbers are told by, 32 bytes in base64, never changed',
    read: parse.secretKey,
  },
  ACQUIRER_URL: { description: 'the acquirer of the sandbox, as `http://host:port`', read: parse.httpUrl },
  ACQUIRER_KEY: {
    description: 'the credential there, at least 32 characters',
    defaultValue: DEFAULT_ACQUIRER_KEY,
    read: parse.secret(DEFAULT_ACQUIRER_KEY),
  },
  PRODUCTION_ACQUIRER_URL: {
    description: 'the acquirer of the production environment; needed with PRODUCTION_PORT',
    defaultValue: undefined,
    read: parse.httpUrl,
  },
  PRODUCTION_ACQUIRER_KEY: {
    description: 'the credential there; needed with PRODUCTION_PORT',
    defaultValue: undefined,
    read: parse.secret(DEFAULT_ACQUIRER_KEY),
  },
  ACQUIRER_PORT: { description: 'where the simulated acquirer answers', defaultValue: 3100, read: parse.port },
  ACQUIRER_PUBLIC_URL: {
    description: "where payers' browsers find the simulated acquirer; absent: `http://127.0.0.1:ACQUIRER_PORT`",
    defaultValue: undefined,
    read: parse.httpUrl,
  },
  ACQUIRER_JOURNAL: {
    description: 'the file in which the simulated acquirer keeps its journal',
    defaultValue: '.data/journal.ndjson',
    read: text => resolve(text),
  },
  NOTIFICATION_URL: {
    description: 'where the simulated acquirer tells the API what others have decided; several with commas between',
    defaultValue: 'http://127.0.0.1:3000/notifications/acquirer',
    read: text => text.split(',').map(parse.httpUrl),
  },
  SMTP_URL: {
    description: 'where mail is handed over, as `smtp://user:password@host:587` or `smtps://…`',
    defaultValue: DEFAULT_SMTP_URL,
    read: (text, production) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (!url?.hostname || !/^smtps?:$/.test(url.protocol))
        return parse.fail('must look like smtp://user:password@host:587 or smtps://…');
      return production && text === DEFAULT_SMTP_URL ? parse.fail('must be a server of your own in production') : text;
    },
  },
  MAIL_FROM: {
    description: 'the sender of mail to payers and merchants',
    defaultValue: DEFAULT_SENDER,
    read: (text, production) => {
      if (production && text === DEFAULT_SENDER) return parse.fail('must be a sender of your own in production');
      return /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)
        ? text
        : parse.fail(`is "${text}", but must look like Name <name@host>`);
    },
  },
  SMTP_PORT: { description: 'where the embedded mail catcher takes mail', defaultValue: 2525, read: parse.port },
  MAIL_PORT: { description: 'where the embedded mail catcher shows it', defaultValue: 3200, read: parse.port },
  MAIL_DIR: {
    description: 'the directory in which the embedded mail catcher keeps it',
    defaultValue: '.data/mail',
    read: text => resolve(text),
  },
  LOG_LEVEL: {
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    defaultValue: 'info',
    read: parse.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  DATA_DIR: {
    description: 'where the embedded parts of `npm start` keep their state',
    defaultValue: '.data',
    read: text => resolve(text),
  },
} satisfies Record<string, Variable<unknown>>;
