import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { graphql, type ResultOf } from '../../shared/api/graphql';
import { useRequestKey } from '../../shared/api/useRequestKey';
import { Button } from '../../shared/ui/Button';
import { Chip } from '../../shared/ui/Chip';
import { Moment } from '../../shared/ui/Figures';
import { Json } from '../../shared/ui/Json';
import { notify } from '../../shared/ui/notices';
import { Empty, problemText, Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { eventName } from '../events/types';
import { canWrite } from '../shell/session';
import { t } from './texts';

const WEBHOOKS = graphql(`query DrawerWebhooks { webhooks(first: 50) { nodes { id url status } } }`);
const DELIVERIES = graphql(`
  query DrawerDeliveries($webhook_id: ID!) {
    deliveries(webhook_id: $webhook_id, first: 20) {
      nodes {
        id
        event_type
        status
        creation_date
        request { body }
        attempts { number date status error duration }
      }
    }
  }
`);
const RESEND = graphql(`
  mutation Resend($webhook_id: ID!, $delivery_id: ID!) {
    redeliver(webhook_id: $webhook_id, delivery_id: $delivery_id) { id status }
  }
`);

type Delivery = NonNullable<ResultOf<typeof DELIVERIES>['deliveries']>['nodes'][number];

export function Deliveries() {
  const webhooks = useQuery(WEBHOOKS, {});
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  return (
    <Shown of={webhooks}>
      {({ webhooks }) => {
        const [first] = webhooks?.nodes ?? [];
        if (!webhooks || !first)
          return (
            <Empty title={t.noWebhooks}>
              <Link href="/webhooks" class="button">
                {t.toWebhooks}
              </Link>
            </Empty>
          );
        return (
          <>
            <div class="field">
              <label for="drawer-webhook">{t.webhook}</label>
              <select id="drawer-webhook" onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
                {webhooks.nodes.map(({ id, url }) => (
                  <option key={id} value={id} selected={id === (chosen ?? first.id)}>
                    {url}
                  </option>
                ))}
              </select>
            </div>
            <DeliveriesOf webhook_id={chosen ?? first.id} />
          </>
        );
      }}
    </Shown>
  );
}

function DeliveriesOf({ webhook_id }: { webhook_id: string }) {
  const loaded = useQuery(DELIVERIES, { webhook_id }, { refreshOn: () => true });
  return (
    <Shown of={loaded} lines={6}>
      {({ deliveries }) => (
        <>
          {deliveries?.nodes.length === 0 && <p class="hint">{t.noDeliveries}</p>}
          {deliveries?.nodes.map(delivery => (
            <DeliveryEntry key={delivery.id} webhook_id={webhook_id} of={delivery} reload={loaded.reload} />
          ))}
        </>
      )}
    </Shown>
  );
}

interface DeliveryEntryProps {
  webhook_id: string;
  of: Delivery;
  reload: () => void;
}

const DeliveryEntry = ({ webhook_id, of, reload }: DeliveryEntryProps) => (
  <details class="entry">
    <summary>
      <strong>{eventName(of.event_type)}</strong>
      <Chip status={of.status} />
      <small>
        <Moment at={of.creation_date} /> · {t.attempts(of.attempts.length)}
      </small>
    </summary>
    <ol class="attempts">
      {of.attempts.map(({ number, date, status, error, duration }) => (
        <li key={number}>
          <Moment at={date} /> · {status === null ? error : t.answered(status)} · {t.ms(duration)}
        </li>
      ))}
    </ol>
    <h4>{t.sent}</h4>
    <Json of={of.request.body} />
    {canWrite() && <Resend webhook_id={webhook_id} delivery_id={of.id} reload={reload} />}
  </details>
);

interface ResendProps {
  webhook_id: string;
  delivery_id: string;
  reload: () => void;
}

function Resend({ webhook_id, delivery_id, reload }: ResendProps) {
  const { keyOf, refused, renew } = useRequestKey();
  const [isBusy, setBusy] = useState(false);
  const resend = async (): Promise<void> => {
    const delivery = { webhook_id, delivery_id };
    setBusy(true);
    try {
      await ask(RESEND, delivery, { key: keyOf(delivery) });
      renew();
      notify(t.resent);
    } catch (error) {
      notify(problemText(refused(error)), 'bad');
    }
    setBusy(false);
    reload();
  };
  return (
    <div class="actions">
      <Button type="button" isBusy={isBusy} onClick={resend}>
        {t.resend}
      </Button>
    </div>
  );
}
