import type { VariableName } from '../platform/config/config';
import { TEMPORAL_VARIABLES } from '../platform/config/security/temporalTls';
import { LIMIT_VARIABLES } from '../platform/limits/settings';

/** Variables of every process that calls an acquirer. */
export const ACQUIRER_VARIABLES = [
  'VAULT_KEYS',
  'VAULT_FINGERPRINT_KEY',
  'ACQUIRER_URL',
  'ACQUIRER_KEY',
  'PRODUCTION_ACQUIRER_URL',
  'PRODUCTION_ACQUIRER_KEY',
] as const;

const DATABASE_VARIABLES = ['NODE_ENV', 'PRIVATE_NETWORKS', 'DATABASE_URL'] as const;

/** Environment variables of each program, shared with `npm run check:production`. */
export const programVariables = {
  migrate: [...DATABASE_VARIABLES, 'TEMPORAL_VISIBILITY_URL', 'TEMPORAL_VISIBILITY_INDEXES'],
  api: [
    'ENVIRONMENT',
    'HOST',
    'PORT',
    'PRODUCTION_PORT',
    'PUBLIC_URL',
    'PRODUCTION_PUBLIC_URL',
    'TRUSTED_PROXIES',
    'TEMPORAL_UI_URL',
    'INBOX_URL',
    'JOURNAL_URL',
    'METRICS_HOST',
    'METRICS_PORT',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    ...DATABASE_VARIABLES,
    ...TEMPORAL_VARIABLES,
    'API_KEY_SECRET',
    ...ACQUIRER_VARIABLES,
    'BANK_ACCOUNT_WAIT_HOURS',
    'MAIL_WEBHOOK_KEY',
    ...LIMIT_VARIABLES,
  ],
  worker: [
    'ENVIRONMENT',
    'PUBLIC_URL',
    'PRODUCTION_PUBLIC_URL',
    'METRICS_HOST',
    'METRICS_PORT',
    'TEMPORAL_METRICS_PORT',
    'TEMPORAL_WORKER_PATCH',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    ...DATABASE_VARIABLES,
    ...TEMPORAL_VARIABLES,
    'SMTP_URL',
    'SANDBOX_SMTP_URL',
    'MAIL_FROM',
    'OPERATOR_EMAIL',
    'AUDIT_HEADS_FILE',
    ...ACQUIRER_VARIABLES,
  ],
  simulator: [
    'NODE_ENV',
    'HOST',
    'ACQUIRER_PORT',
    'ACQUIRER_PUBLIC_URL',
    'ACQUIRER_KEY',
    'ACQUIRER_JOURNAL',
    'NOTIFICATION_URL',
  ],
  merchant: [...DATABASE_VARIABLES, 'API_KEY_SECRET'],
  operator: [...DATABASE_VARIABLES, 'API_KEY_SECRET'],
  audit: [...DATABASE_VARIABLES, 'ACQUIRER_URL', 'VAULT_FINGERPRINT_KEY', 'AUDIT_HEADS_FILE'],
  rotateVault: [...DATABASE_VARIABLES, 'VAULT_KEYS', 'VAULT_FINGERPRINT_KEY'],
} as const satisfies Record<string, readonly VariableName[]>;
