import { Chip, statusName } from '../../shared/ui/Chip';
import { Moment } from '../../shared/ui/Figures';
import { eventName } from '../events/types';
import type { Column } from '../lists/definition';
import type { DeliveryRow } from './operations';
import { t } from './texts';

type Attempt = DeliveryRow['attempts'][number];

export const outcomeOf = (attempt: Attempt | undefined): string =>
  attempt ? String(attempt.status ?? attempt.error ?? t.noAnswer) : '';

export const deliveryColumns: readonly Column<DeliveryRow>[] = [
  {
    key: 'event_type',
    name: t.type,
    cell: ({ event_type }) => eventName(event_type),
    text: ({ event_type }) => eventName(event_type),
  },
  {
    key: 'status',
    name: t.status,
    cell: ({ status }) => <Chip status={status} />,
    text: ({ status }) => statusName(status),
  },
  {
    key: 'answer',
    name: t.answer,
    cell: ({ attempts }) => outcomeOf(attempts.at(-1)),
    text: ({ attempts }) => outcomeOf(attempts.at(-1)),
  },
  {
    key: 'attempts',
    name: t.attempts,
    isNumber: true,
    cell: ({ attempts }) => attempts.length,
    text: ({ attempts }) => attempts.length,
  },
  {
    key: 'creation_date',
    name: t.date,
    cell: ({ creation_date }) => <Moment at={creation_date} />,
    text: ({ creation_date }) => creation_date,
  },
  {
    key: 'next',
    name: t.next,
    isFurther: true,
    cell: ({ next_attempt_date: at }) => at && <Moment at={at} />,
    text: ({ next_attempt_date }) => next_attempt_date,
  },
  {
    key: 'event_id',
    name: t.event,
    isFurther: true,
    cell: ({ event_id }) => <code>{event_id}</code>,
    text: ({ event_id }) => event_id,
  },
];
