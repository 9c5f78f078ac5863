import { pick } from '../language';

type Tone = 'good' | 'warn' | 'bad' | 'info' | 'grey' | 'hollow';

const TONES: Record<string, Tone> = {
  trial: 'info',
  active: 'good',
  past_due: 'warn',
  unpaid: 'bad',
  cancelled: 'grey',
  completed: 'good',
  failed: 'bad',
  pending: 'hollow',
  in_progress: 'hollow',
  charge_pending: 'hollow',
  refunded: 'grey',
  paid: 'good',
  delivered: 'good',
  expired: 'grey',
  revoked: 'grey',
  disabled: 'grey',
  suspended: 'bad',
  chargeback_pending: 'warn',
  chargeback_accepted: 'bad',
  chargeback_adjustment: 'good',
  unverified: 'hollow',
  verified: 'good',
  retrying: 'warn',
  matched: 'good',
  differs: 'warn',
  draft: 'hollow',
  submitted: 'info',
  returned: 'warn',
  approved: 'good',
  refused: 'bad',
  on: 'good',
};

const words: Record<string, string> = pick({
  es: {
    trial: 'en prueba',
    active: 'activa',
    past_due: 'en mora',
    unpaid: 'impaga',
    cancelled: 'cancelada',
    completed: 'aprobado',
    failed: 'fallido',
    pending: 'pendiente',
    in_progress: 'en curso',
    charge_pending: 'por cobrar',
    refunded: 'reembolsado',
    paid: 'pagado',
    delivered: 'entregado',
    expired: 'vencido',
    revoked: 'revocada',
    disabled: 'desactivado',
    suspended: 'suspendido',
    chargeback_pending: 'contracargo abierto',
    chargeback_accepted: 'contracargo perdido',
    chargeback_adjustment: 'contracargo ganado',
    unverified: 'sin verificar',
    verified: 'verificado',
    retrying: 'en reintento',
    matched: 'conciliada',
    differs: 'con diferencias',
    draft: 'borrador',
    submitted: 'en revisión',
    returned: 'devuelta',
    approved: 'aprobada',
    refused: 'rechazada',
    on: 'activa',
  } as Record<string, string>,
  en: {
    past_due: 'past due',
    in_progress: 'in progress',
    charge_pending: 'charge pending',
    completed: 'approved',
    chargeback_pending: 'chargeback open',
    chargeback_accepted: 'chargeback lost',
    chargeback_adjustment: 'chargeback won',
    submitted: 'under review',
    differs: 'with differences',
    refused: 'rejected',
  },
});

export const statusName = (status: string): string => words[status] ?? status.replaceAll('_', ' ');

export const Chip = ({
  status,
  tone = TONES[status] ?? 'grey',
  name = statusName(status),
}: {
  status: string;
  tone?: Tone;
  name?: string;
}) => <span class={`chip ${tone}`}>{name}</span>;
