/** How processes prove who they are to a Temporal server, and it to them: the names that Temporal's own tools use. */
import type { ConnectionOptions } from '@temporalio/client';
import * as parse from '../parsers';

const optional = { defaultValue: undefined };

export const temporalTlsVariables = {
  TEMPORAL_TLS: {
    ...optional,
    description: 'whether to use TLS with the Temporal server; unset: if one of the following is set',
    read: parse.boolean,
  },
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: {
    ...optional,
    description: 'file with the certificates, in PEM, of the authority that vouches for it; unset: those of the system',
    read: parse.file,
  },
  TEMPORAL_TLS_SERVER_NAME: {
    ...optional,
    description: "name in the Temporal server's certificate, where it is not that of its address",
    read: String,
  },
  TEMPORAL_TLS_CLIENT_CERT_PATH: {
    ...optional,
    description: 'file with the certificate, in PEM, that the Temporal server asks of its clients',
    read: parse.file,
  },
  TEMPORAL_TLS_CLIENT_KEY_PATH: {
    ...optional,
    description: 'file with the key of that certificate, in PEM',
    read: parse.file,
  },
  TEMPORAL_API_KEY: {
    ...optional,
    description: 'API key at the Temporal server, where it asks for one',
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

/** For the client and for the worker, whose options have the same form. */
export type TemporalCredentials = Pick<ConnectionOptions, 'tls'> & { apiKey?: string };

export function temporalCredentials(config: TemporalTlsConfig): TemporalCredentials {
  const { TEMPORAL_TLS: isWanted, TEMPORAL_API_KEY: apiKey, ...files } = config;
  const { TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority, TEMPORAL_TLS_SERVER_NAME: serverName } = files;
  const { TEMPORAL_TLS_CLIENT_CERT_PATH: crt, TEMPORAL_TLS_CLIENT_KEY_PATH: key } = files;
  const tls = {
    ...(authority && { serverRootCACertificate: authority }),
    ...(serverName && { serverNameOverride: serverName }),
    ...(crt && key && { clientCertPair: { crt, key } }),
  };
  const isImplied = apiKey !== undefined || Object.keys(tls).length > 0;
  return { tls: (isWanted ?? isImplied) ? tls : false, ...(apiKey && { apiKey }) };
}
