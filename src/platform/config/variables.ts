import { resolve } from 'node:path';
import { limitVariables } from './limitVariables';
import { metricsVariables } from './metricsVariables';
import { neighbourVariables } from './neighbourVariables';
import * as parse from './parsers';
import { temporalVariables } from './temporalVariables';

/** Development defaults, which production refuses. */
const DEFAULT_API_KEY_SECRET = 'recaudo-development-only-secret-0000';
const DEFAULT_ACQUIRER_KEY = 'recaudo-development-only-acquirer-key';
const DEFAULT_DATABASE_PASSWORD = 'recaudo';
const DEFAULT_SENDER = 'recaudo <no-reply@recaudo.localhost>';
const DEFAULT_SMTP_URL = 'smtp://127.0.0.1:2525';

export interface Variable<T> {
  description: string;
  /** A process that serves the other environment does not read it. */
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
      'environment that the process serves, `sandbox` or `production`; unset: both, which production refuses',
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
    description:
      "public address of the sandbox's pages, as `https://host`; unset: `http://127.0.0.1:PORT`, and no links from workflows or e-mails",
    defaultValue: undefined,
    read: parse.publicUrl,
  },
  PRODUCTION_PUBLIC_URL: {
    environment: 'production',
    description:
      'public address of the pages in production; unset: `http://127.0.0.1:PRODUCTION_PORT`, and no links from workflows or e-mails',
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
      'addresses, networks or host names trusted like this machine: in production, connections to them need no TLS',
    defaultValue: undefined,
    read: parse.places,
  },
  DATABASE_URL: {
    description: 'PostgreSQL database, as `postgresql://user:password@host:5432/name`',
    read: (given, production) => {
      const text = parse.databaseUrl(given);
      if (production && new URL(text).password === DEFAULT_DATABASE_PASSWORD) {
        return parse.fail('must not have the default password in production');
      }
      return text;
    },
  },
  ...temporalVariables,
  API_KEY_SECRET: {
    description: 'secret that hashes API keys, at least 32 characters; identical for all processes of one database',
    defaultValue: DEFAULT_API_KEY_SECRET,
    read: parse.secret(DEFAULT_API_KEY_SECRET),
  },
  VAULT_KEYS: {
    description:
      'encryption keys for card numbers, as `id:key,id:key`, each key 32 bytes in base64; the first encrypts, all of them decrypt',
    read: parse.vaultKeys,
  },
  VAULT_FINGERPRINT_KEY: {
    description:
      'key of card fingerprints and of the audit log, 32 bytes in base64, the same in all processes; never change it',
    read: parse.secretKey,
  },
  ACQUIRER_URL: {
    environment: 'sandbox',
    description: 'URL of the acquirer in the sandbox, as `http://host:port`',
    read: parse.httpUrl,
  },
  ACQUIRER_KEY: {
    environment: 'sandbox',
    description: 'credential for `ACQUIRER_URL`, at least 32 characters',
    defaultValue: DEFAULT_ACQUIRER_KEY,
    read: parse.secret(DEFAULT_ACQUIRER_KEY),
  },
  PRODUCTION_ACQUIRER_URL: {
    environment: 'production',
    description: 'URL of the acquirer in production; required with `PRODUCTION_PORT`',
    defaultValue: undefined,
    read: parse.acquirerUrl,
  },
  PRODUCTION_ACQUIRER_KEY: {
    environment: 'production',
    description: 'credential for `PRODUCTION_ACQUIRER_URL`, at least 32 characters; required with `PRODUCTION_PORT`',
    defaultValue: undefined,
    read: parse.secret(DEFAULT_ACQUIRER_KEY),
  },
  ...neighbourVariables,
  ACQUIRER_PORT: { description: 'port of the simulated acquirer', defaultValue: 3100, read: parse.port },
  ACQUIRER_PUBLIC_URL: {
    description:
      'public address of the simulated acquirer, for its bank pages, and a host that it serves; unset: `http://127.0.0.1:ACQUIRER_PORT`',
    defaultValue: undefined,
    read: parse.httpUrl,
  },
  ACQUIRER_JOURNAL: {
    description: 'journal file of the simulated acquirer',
    defaultValue: '.data/journal.ndjson',
    read: text => resolve(text),
  },
  NOTIFICATION_URL: {
    description:
      'URLs that receive notifications of the simulated acquirer, separated by commas; settlement reports go to the sibling path `settlement`',
    defaultValue: 'http://127.0.0.1:3000/notifications/acquirer',
    read: text => text.split(',').map(parse.httpUrl),
  },
  SMTP_URL: {
    description: 'mail server, as `smtp://user:password@host:587` or `smtps://…`',
    defaultValue: DEFAULT_SMTP_URL,
    read: (text, production) => {
      const url = parse.smtpUrl(text);
      return production && url === DEFAULT_SMTP_URL ? parse.fail('must not be the default server in production') : url;
    },
  },
  SANDBOX_SMTP_URL: {
    description:
      'mail server for payers in the sandbox; unset: `SMTP_URL` in development, no e-mails to them in production',
    defaultValue: undefined,
    read: parse.smtpUrl,
  },
  MAIL_FROM: {
    description: 'sender of e-mails; those to payers have its address and the name of the merchant',
    defaultValue: DEFAULT_SENDER,
    read: (text, production) => {
      if (production && text === DEFAULT_SENDER) return parse.fail('must not be the default sender in production');
      return /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)
        ? text
        : parse.fail(`is "${text}", but must look like Name <name@host>`);
    },
  },
  OPERATOR_EMAIL: {
    description: 'e-mail address notified of requests for production access; unset: no notification',
    defaultValue: undefined,
    read: parse.email,
  },
  MAIL_WEBHOOK_KEY: {
    description:
      'key that signs bounces and complaints of the mail provider, at least 32 characters; unset: they are not accepted',
    defaultValue: undefined,
    read: parse.secret(),
  },
  AUDIT_HEADS_FILE: {
    description:
      'file to which workers append the signed heads of the audit log, and with which `npm run audit` compares it',
    defaultValue: undefined,
    read: text => resolve(text),
  },
  SMTP_PORT: { description: 'SMTP port of the embedded mail catcher', defaultValue: 2525, read: parse.port },
  MAIL_PORT: { description: "HTTP port of the embedded mail catcher's inbox", defaultValue: 3200, read: parse.port },
  MAIL_DIR: {
    description: 'message directory of the embedded mail catcher',
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
    description: 'state directory of `npm start`',
    defaultValue: '.data',
    read: text => resolve(text),
  },
} satisfies Record<string, Variable<unknown>>;
