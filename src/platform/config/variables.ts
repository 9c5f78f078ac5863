/** Every environment variable that the program reads: what it means, its default, and how its text is parsed. */
import { resolve } from 'node:path';
import { limitVariables } from './limitVariables';
import { metricsVariables } from './metricsVariables';
import { neighbourVariables } from './neighbourVariables';
import * as parse from './parsers';
import { temporalVariables } from './temporalVariables';

/** For development only: production refuses all of them. */
const DEFAULT_API_KEY_SECRET = 'recaudo-development-only-secret-0000';
const DEFAULT_ACQUIRER_KEY = 'recaudo-development-only-acquirer-key';
const DEFAULT_DATABASE_PASSWORD = 'recaudo';
const DEFAULT_SENDER = 'recaudo <no-reply@recaudo.localhost>';
const DEFAULT_SMTP_URL = 'smtp://127.0.0.1:2525';

export interface Variable<T> {
  description: string;
  /** The environment that it is about; a process that works for the other one does not read it. */
  environment?: 'sandbox' | 'production';
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
  ENVIRONMENT: {
    description:
      'the one environment that the process works for, `sandbox` or `production`; unset: both, which production refuses',
    defaultValue: undefined,
    read: parse.oneOf('sandbox', 'production'),
  },
  HOST: { description: 'address on which the API listens', defaultValue: '127.0.0.1', read: String },
  PORT: { description: 'port of the sandbox', environment: 'sandbox', defaultValue: 3000, read: parse.port },
  PRODUCTION_PORT: {
    environment: 'production',
    description: 'port of the production environment; unset: off',
    defaultValue: undefined,
    read: parse.port,
  },
  PUBLIC_URL: {
    environment: 'sandbox',
    description: "public address of the sandbox's payment pages, as `https://host`; unset: `http://127.0.0.1:PORT`",
    defaultValue: undefined,
    read: parse.publicUrl,
  },
  PRODUCTION_PUBLIC_URL: {
    environment: 'production',
    description: 'the same for the production environment; unset: `http://127.0.0.1:PRODUCTION_PORT`',
    defaultValue: undefined,
    read: parse.publicUrl,
  },
  TRUSTED_PROXIES: {
    description:
      'addresses or networks of reverse proxies whose forwarded client address is trusted, as `10.0.0.0/8,192.0.2.7`',
    defaultValue: undefined,
    read: parse.networks,
  },
  PRIVATE_NETWORKS: {
    description:
      'addresses, networks or host names that count as this machine: in production, connections to them may do without TLS',
    defaultValue: undefined,
    read: parse.places,
  },
  DATABASE_URL: {
    description: 'PostgreSQL database, as `postgresql://user:password@host:5432/name`',
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
  ...temporalVariables,
  API_KEY_SECRET: {
    description:
      'secret with which API keys are hashed, at least 32 characters; the same for all processes of one database',
    defaultValue: DEFAULT_API_KEY_SECRET,
    read: parse.secret(DEFAULT_API_KEY_SECRET),
  },
  VAULT_KEYS: {
    description:
      'encryption keys for card numbers, as `id:key,id:key`, each key 32 bytes in base64; the first encrypts, all of them decrypt',
    read: parse.vaultKeys,
  },
  VAULT_FINGERPRINT_KEY: {
    description: 'key of the fingerprints that recognise equal card numbers, 32 bytes in base64; never change it',
    read: parse.secretKey,
  },
  ACQUIRER_URL: {
    environment: 'sandbox',
    description: 'acquirer of the sandbox, as `http://host:port`',
    read: parse.httpUrl,
  },
  ACQUIRER_KEY: {
    environment: 'sandbox',
    description: 'credential at that acquirer, at least 32 characters',
    defaultValue: DEFAULT_ACQUIRER_KEY,
    read: parse.secret(DEFAULT_ACQUIRER_KEY),
  },
  PRODUCTION_ACQUIRER_URL: {
    environment: 'production',
    description: 'acquirer of the production environment; required with `PRODUCTION_PORT`',
    defaultValue: undefined,
    read: parse.acquirerUrl,
  },
  PRODUCTION_ACQUIRER_KEY: {
    environment: 'production',
    description: 'credential at that acquirer, at least 32 characters; required with `PRODUCTION_PORT`',
    defaultValue: undefined,
    read: parse.secret(DEFAULT_ACQUIRER_KEY),
  },
  ...neighbourVariables,
  ACQUIRER_PORT: { description: 'port of the simulated acquirer', defaultValue: 3100, read: parse.port },
  ACQUIRER_PUBLIC_URL: {
    description:
      'public address of the simulated acquirer, for the pages of its bank; unset: `http://127.0.0.1:ACQUIRER_PORT`',
    defaultValue: undefined,
    read: parse.httpUrl,
  },
  ACQUIRER_JOURNAL: {
    description: 'file in which the simulated acquirer keeps its journal',
    defaultValue: '.data/journal.ndjson',
    read: text => resolve(text),
  },
  NOTIFICATION_URL: {
    description:
      'where the simulated acquirer sends its notifications, and beside it, to `settlement`, its reports; several are separated by commas',
    defaultValue: 'http://127.0.0.1:3000/notifications/acquirer',
    read: text => text.split(',').map(parse.httpUrl),
  },
  SMTP_URL: {
    description: 'mail server, as `smtp://user:password@host:587` or `smtps://…`',
    defaultValue: DEFAULT_SMTP_URL,
    read: (text, production) => {
      const url = parse.smtpUrl(text);
      return production && url === DEFAULT_SMTP_URL ? parse.fail('must be a server of your own in production') : url;
    },
  },
  SANDBOX_SMTP_URL: {
    description: 'mail server for payers of the sandbox; unset: `SMTP_URL`, and in production nothing is sent to them',
    defaultValue: undefined,
    read: parse.smtpUrl,
  },
  MAIL_FROM: {
    description: 'sender of e-mails to payers and merchants',
    defaultValue: DEFAULT_SENDER,
    read: (text, production) => {
      if (production && text === DEFAULT_SENDER) return parse.fail('must be a sender of your own in production');
      return /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)
        ? text
        : parse.fail(`is "${text}", but must look like Name <name@host>`);
    },
  },
  OPERATOR_EMAIL: {
    description: 'where operators learn of requests to go live; unset: nowhere',
    defaultValue: undefined,
    read: parse.email,
  },
  SMTP_PORT: { description: 'SMTP port of the embedded mail catcher', defaultValue: 2525, read: parse.port },
  MAIL_PORT: { description: "HTTP port of the embedded mail catcher's inbox", defaultValue: 3200, read: parse.port },
  MAIL_DIR: {
    description: 'directory in which the embedded mail catcher keeps messages',
    defaultValue: '.data/mail',
    read: text => resolve(text),
  },
  ...metricsVariables,
  LOG_LEVEL: {
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    defaultValue: 'info',
    read: parse.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  ...limitVariables,
  DATA_DIR: {
    description: 'directory in which `npm start` keeps its state',
    defaultValue: '.data',
    read: text => resolve(text),
  },
} satisfies Record<string, Variable<unknown>>;
