import { Link } from 'wouter-preact';
import { Chip } from '../../shared/ui/Chip';
import { Facts, Id } from '../../shared/ui/Facts';
import { Moment } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { eventName } from '../events/types';
import { Table } from '../lists/Table';
import { Section } from '../ui/Section';
import { deliveryColumns, outcomeOf } from './columns';
import { type DeliveryRow, WEBHOOK, type WebhookRow } from './operations';
import { ResendRange } from './Resend';
import { t } from './texts';
import { useUntilDelivered } from './useUntilDelivered';
import { WebhookActions } from './WebhookActions';

const MAX_LATEST_DELIVERIES = 20;
const SHOWN = 10;
const shownColumns = deliveryColumns.filter(({ isFurther }) => !isFurther);

export function WebhookPage({ params: { id } }: { params: { id: string } }) {
  const page = useQuery(WEBHOOK, { id, latest: MAX_LATEST_DELIVERIES }, { refreshOn: () => true });
  const deliveries = page.data?.deliveries?.nodes ?? [];
  useUntilDelivered(deliveries, page.refresh, page.data?.webhook);
  return (
    <Shown of={page} lines={8}>
      {({ webhook }) =>
        webhook && (
          <>
            <PageHead
              title={webhook.url}
              name={t.title}
              action={<WebhookActions webhook={webhook} done={page.reload} />}
            >
              <Chip status={webhook.status} />
            </PageHead>
            <Health webhook={webhook} deliveries={deliveries} />
            <Section
              title={t.latest}
              fields={['deliveries']}
              action={
                <span class="tools">
                  <ResendRange webhook={id} done={page.reload} />
                  <Link href={`/webhooks/${id}/deliveries`} class="button plain">
                    {t.allDeliveries}
                  </Link>
                </span>
              }
            >
              <Table
                label={t.latest}
                columns={shownColumns}
                rows={deliveries.slice(0, SHOWN)}
                keyOf={delivery => delivery.id}
                href={({ event_id }) => `/webhooks/${id}/events/${event_id}`}
                empty={t.noDeliveries}
              />
            </Section>
          </>
        )
      }
    </Shown>
  );
}

function Health({ webhook, deliveries }: { webhook: WebhookRow; deliveries: DeliveryRow[] }) {
  const tried = deliveries.filter(({ attempts }) => attempts.length > 0);
  const delivered = tried.filter(({ status }) => status === 'delivered');
  const last = tried[0]?.attempts.at(-1);
  const arrived = delivered[0]?.attempts.at(-1);
  const sentence =
    tried.length === 0
      ? t.nothingSent
      : delivered.length === tried.length
        ? t.healthy
        : t.troubled(delivered.length, tried.length);
  return (
    <Section title={t.health} fields={['deliveries.nodes.status', 'deliveries.nodes.attempts']}>
      {webhook.status === 'disabled' && (
        <p>
          {webhook.disabled_reason === 'gone' ? t.gone : t.failing} {t.enableHint}
        </p>
      )}
      {webhook.status === 'unverified' && <p>{t.unverifiedHint}</p>}
      <p>{sentence}</p>
      <Facts
        of={[
          [t.lastAnswer, outcomeOf(last)],
          [t.lastDelivered, arrived && <Moment at={arrived.date} />],
          [t.waiting, deliveries.filter(({ status }) => status === 'retrying').length || null],
          [t.events, webhook.event_types.length === 0 ? t.all : webhook.event_types.map(eventName).join(', ')],
          [t.user, webhook.user],
          [t.created, <Moment key="created" at={webhook.creation_date} />],
          ['id', <Id key="id" id={webhook.id} />],
        ]}
      />
    </Section>
  );
}
