import * as parse from './parsers';

const page = (description: string) => ({ description, defaultValue: undefined, read: parse.port });

/** Metrics have a port of their own because they need no API key. */
export const metricsVariables = {
  METRICS_HOST: {
    description: 'address on which metrics are served; only your Prometheus should reach it',
    defaultValue: '127.0.0.1',
    read: String,
  },
  METRICS_PORT: page('port on which the process serves its metrics, at `/metrics`; unset: off'),
  TEMPORAL_METRICS_PORT: page('port on which the worker serves the metrics of its Temporal SDK; unset: off'),
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description: 'collector that receives traces, as OTLP over HTTP; unset: no traces',
    defaultValue: undefined,
    read: parse.httpUrl,
  },
};
