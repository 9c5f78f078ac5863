import { Client, Connection } from '@temporalio/client';

/** Without these a channel that met a dead server sleeps up to two minutes after the server is back. */
const patience = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 1000 };

/** Connects when first used, so a process may start before its Temporal server. */
export function openTemporal(address: string, namespace: string): Client {
  // A proxy of the environment is for the world outside.
  const local = /^(localhost|127\.|\[::1\])/.test(address);
  const channelArgs = { ...patience, ...(local ? { 'grpc.enable_http_proxy': 0 } : {}) };
  return new Client({ connection: Connection.lazy({ address, channelArgs }), namespace });
}
