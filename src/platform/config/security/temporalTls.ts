/** Variables for TLS and authentication with the Temporal server, named as in Temporal's own tools. */
import type { ConnectionOptions } from '@temporalio/client';
import * as parse from '../parsers';

const optional = { defaultValue: undefined };

export const temporalTlsVariables = {
  TEMPORAL_TLS: {
    ...optional,
    description:
      'whether to use TLS with the Temporal server; required with an API key; unset: only if another TLS variable is set',
    read: parse.boolean,
  },
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: {
    ...optional,
    description: 'PEM file with the CA certificates for the Temporal server; unset: the CA certificates of the system',
    read: parse.file,
  },
  TEMPORAL_TLS_SERVER_NAME: {
    ...optional,
    description: "host name in the Temporal server's certificate, if it differs from `TEMPORAL_ADDRESS`",
    read: String,
  },
  TEMPORAL_TLS_CLIENT_CERT_PATH: {
    ...optional,
    description: 'PEM file with the client certificate for the Temporal server',
    read: parse.file,
  },
  TEMPORAL_TLS_CLIENT_KEY_PATH: {
    ...optional,
    description: 'PEM file with the private key of the client certificate',
    read: parse.file,
  },
  TEMPORAL_API_KEY: {
    ...optional,
    description: 'API key for the Temporal server; requires `TEMPORAL_TLS`',
    read: String,
  },
};

export const TEMPORAL_VARIABLES = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_API_KEY',
] as const;

export interface TemporalTlsConfig {
  TEMPORAL_TLS: boolean | undefined;
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: Buffer | undefined;
  TEMPORAL_TLS_SERVER_NAME: string | undefined;
  TEMPORAL_TLS_CLIENT_CERT_PATH: Buffer | undefined;
  TEMPORAL_TLS_CLIENT_KEY_PATH: Buffer | undefined;
  TEMPORAL_API_KEY: string | undefined;
}

/** Options of both the client and the worker. */
export type TemporalCredentials = Pick<ConnectionOptions, 'tls'> & { apiKey?: string };

export function temporalCredentials(config: TemporalTlsConfig): TemporalCredentials {
  const { TEMPORAL_TLS: isEnabled, TEMPORAL_API_KEY: apiKey, ...files } = config;
  const { TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority, TEMPORAL_TLS_SERVER_NAME: serverName } = files;
  const { TEMPORAL_TLS_CLIENT_CERT_PATH: crt, TEMPORAL_TLS_CLIENT_KEY_PATH: key } = files;
  const tls = {
    ...(authority && { serverRootCACertificate: authority }),
    ...(serverName && { serverNameOverride: serverName }),
    ...(crt && key && { clientCertPair: { crt, key } }),
  };
  return { tls: (isEnabled ?? Object.keys(tls).length > 0) ? tls : false, ...(apiKey && { apiKey }) };
}
