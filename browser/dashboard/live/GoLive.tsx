/** The status of the request for production access. The request has its own page for the details and the keys. */
import { ask, Problem } from '../../shared/api/ask';
import { graphql, type ResultOf } from '../../shared/api/graphql';
import { Chip } from '../../shared/ui/Chip';
import { Facts, Id } from '../../shared/ui/Facts';
import { Moment } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { useLoad } from '../api/useLoad';
import { NotFound } from '../shell/NotFound';
import { session } from '../shell/session';
import { ActionButton } from '../ui/ActionButton';
import { Section } from '../ui/Section';
import { t } from './texts';

const REQUEST = graphql(`
  query LiveRequest {
    liveRequest {
      id status reason url submitted_at decided_at keys_collected_at production_merchant_id business { legal_name nit }
    }
  }
`);
const START = graphql(`mutation RequestLive { requestLive { id } }`);
type Request = NonNullable<ResultOf<typeof REQUEST>['liveRequest']>;
const NOT_FOUND = 1005;

export const GoLive = () => (session.value?.environment === 'sandbox' ? <Requests /> : <NotFound />);

function Requests() {
  const page = useLoad('live request', async signal => {
    try {
      return { request: (await ask(REQUEST, {}, { signal })).liveRequest };
    } catch (error) {
      if (error instanceof Problem && error.code === NOT_FOUND) return { request: null };
      throw error;
    }
  });
  const start = (label: string) => (
    <ActionButton
      label={label}
      kind="primary"
      question={t.startQuestion}
      run={async (_, key) => {
        await ask(START, {}, { key });
        return t.started;
      }}
      done={page.reload}
    />
  );
  return (
    <>
      <PageHead title={t.title} />
      <Shown of={page}>
        {({ request }) => (
          <>
            {request && <RequestState of={request} />}
            {request?.status === 'refused' && start(t.again)}
            {(!request || request.status === 'draft') && (
              <Section title={t.asked} action={!request && start(t.start)}>
                <p class="hint">{t.intro}</p>
                <ul class="steps">
                  {t.items.map(item => (
                    <li key={item}>{item}</li>
                  ))}
                </ul>
              </Section>
            )}
          </>
        )}
      </Shown>
    </>
  );
}

function RequestState({ of }: { of: Request }) {
  const state = of.status === 'approved' && of.keys_collected_at ? 'collected' : of.status;
  const isSecret = of.url && (of.status === 'draft' || of.status === 'returned');
  const open = of.url && state !== 'collected' && (
    <a class="button primary" href={of.url}>
      {t.open[of.status]}
    </a>
  );
  return (
    <Section title={t.state} action={open}>
      <p>{t.states[state]}</p>
      {isSecret && <p class="hint">{t.secretPage}</p>}
      <Facts
        of={[
          [t.state, <Chip key="status" status={of.status} />],
          [t.reason, of.reason],
          [t.legalName, of.business?.legal_name],
          ['NIT', of.business?.nit],
          [t.sent, of.submitted_at && <Moment at={of.submitted_at} />],
          [t.decided, of.decided_at && <Moment at={of.decided_at} />],
          [t.collected, of.keys_collected_at && <Moment at={of.keys_collected_at} />],
          [t.production, of.production_merchant_id && <Id id={of.production_merchant_id} />],
        ]}
      />
    </Section>
  );
}
