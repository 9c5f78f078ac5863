import * as parse from './parsers';

const page = (description: string) => ({ description, defaultValue: undefined, read: parse.port });

/** Where a process shows its metrics: not at the port of the API, since nobody is asked for a key there. */
export const metricsVariables = {
  METRICS_HOST: {
    description: 'address of the metrics, which only your Prometheus should reach',
    defaultValue: '127.0.0.1',
    read: String,
  },
  METRICS_PORT: page('port at which the process shows its metrics, at `/metrics`; unset: nowhere'),
  TEMPORAL_METRICS_PORT: page("the same for those of the worker's Temporal SDK"),
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description: 'a collector that traces are sent to, by OTLP over HTTP; unset: there are none',
    defaultValue: undefined,
    read: parse.httpUrl,
  },
};
