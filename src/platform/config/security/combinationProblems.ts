/** Undefined for variables that are absent, invalid, or belong to an environment that the process does not serve. */
type ReadValues = Record<string, unknown>;

const OF_PRODUCTION = ['PRODUCTION_PORT', 'PRODUCTION_ACQUIRER_URL', 'PRODUCTION_ACQUIRER_KEY'];
const CLIENT_CERTIFICATE = ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH'];

export function combinationProblems(names: readonly string[], config: ReadValues, env: NodeJS.ProcessEnv): string[] {
  const isAbsent = (name: string): boolean => names.includes(name) && !env[name]?.trim();
  const missing = (wanted: string[], reason: string): string[] =>
    wanted.filter(isAbsent).map(name => `${name} is missing: it is required with ${reason}.`);
  const givenOfCertificate = CLIENT_CERTIFICATE.find(name => config[name] !== undefined);
  return [
    ...(config.PORT !== undefined && config.PORT === config.PRODUCTION_PORT
      ? ['PRODUCTION_PORT must differ from PORT.']
      : []),
    ...(config.ENVIRONMENT === 'production'
      ? missing(OF_PRODUCTION, 'ENVIRONMENT=production')
      : config.PRODUCTION_PORT === undefined
        ? []
        : missing(OF_PRODUCTION, 'PRODUCTION_PORT')),
    // TLS must not depend on whether there is a key: the key would then decide how it is sent.
    ...(config.TEMPORAL_API_KEY === undefined ? [] : missing(['TEMPORAL_TLS'], 'TEMPORAL_API_KEY')),
    ...(givenOfCertificate ? missing(CLIENT_CERTIFICATE, givenOfCertificate) : []),
  ];
}
