import { ask } from '../../shared/api/ask';
import { ActionButton } from '../ui/ActionButton';
import { REDELIVER, REDELIVER_RANGE } from './operations';
import { t } from './texts';

export const Resend = ({ webhook, delivery, done }: { webhook: string; delivery: string; done: () => void }) => (
  <ActionButton
    label={t.resend}
    run={async (_, key) => {
      await ask(REDELIVER, { id: webhook, delivery }, { key });
      return t.resent;
    }}
    done={done}
  />
);

/** Entered times are in Bogotá time, which has no daylight saving. */
const inBogota = (typed = ''): string => `${typed.length === 16 ? `${typed}:00` : typed}-05:00`;

export const ResendRange = ({ webhook, done }: { webhook: string; done: () => void }) => (
  <ActionButton
    label={t.resendRange}
    question={t.resendRangeQuestion}
    fields={[
      { name: 'from', label: t.from, type: 'datetime-local' },
      { name: 'to', label: t.to, type: 'datetime-local' },
      { name: 'before_creation', label: t.beforeCreation, type: 'checkbox' },
    ]}
    run={async ({ from, to, before_creation }, key) => {
      const range = { from: inBogota(from), to: inBogota(to), before_creation: before_creation === 'true' };
      const { redeliverRange } = await ask(REDELIVER_RANGE, { id: webhook, range }, { key });
      return t.rangeSent(redeliverRange?.count ?? 0);
    }}
    done={done}
  />
);
