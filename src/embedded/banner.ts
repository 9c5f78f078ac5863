import type { Credentials } from './credentials';

/** Opens with the shop filled in. The public key only: an address ends up in histories and bookmarks. */
const tokenDemoUrl = ({ url, merchant_id, public_key }: Credentials): string =>
  `${url}/v1/tokenize-demo#${new URLSearchParams({ merchant_id, public_key })}`;

export const apiBanner = (credentials: Credentials, production: string | undefined, dataDir: string): string => `
  recaudo is up

  API           ${credentials.url}${production ? `   production ${production}` : ''}
  GraphQL       ${credentials.graphql_url}
  merchant      ${credentials.merchant_id}
  private key   ${credentials.private_key}
  public key    ${credentials.public_key}
  try a token   ${tokenDemoUrl(credentials)}
  acquirer      ${credentials.acquirer_url}/journal (simulated)
  mail          ${credentials.mail_url ? `${credentials.mail_url} (what was sent)` : '(handed to the server given by SMTP_URL)'}
  database      ${credentials.database_url}
  all of it     ${dataDir}/credentials.json
`;

export const temporalBanner = ({ temporal_address, temporal_ui_url, temporal_namespace }: Credentials): string => `
  Temporal      ${temporal_address}, namespace ${temporal_namespace}
  Temporal UI   ${temporal_ui_url ?? '(that of the server given by TEMPORAL_ADDRESS)'}

  Ctrl-C stops everything; what is stored stays for the next start.
`;
