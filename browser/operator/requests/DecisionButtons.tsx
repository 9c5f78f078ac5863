import { ask } from '../../shared/api/ask';
import type { Field } from '../../shared/ui/FieldInput';
import { ChangeButton } from '../actions/ChangeButton';
import { stepsOf } from '../actions/KnownSteps';
import { graphql } from '../graphql';
import { mayAct } from '../state';
import type { LiveRequest } from './operations';
import { t } from './texts';

const APPROVE = graphql(`
  mutation Approve($id: ID!, $reason: String) { approveLiveRequest(id: $id, reason: $reason) { id } }
`);
const RETURN = graphql(`
  mutation Return($id: ID!, $reason: String!) { returnLiveRequest(id: $id, reason: $reason) { id } }
`);
const REFUSE = graphql(`
  mutation Refuse($id: ID!, $reason: String!) { refuseLiveRequest(id: $id, reason: $reason) { id } }
`);

const reason: Field = { name: 'reason', label: t.reason, type: 'textarea', hint: t.shown };
const note: Field = { ...reason, hint: t.audited, isOptional: true };

/** Only submitted requests can be approved or returned; returned ones can also be refused. */
export function DecisionButtons({ request: { id, status }, reload }: { request: LiveRequest; reload: () => void }) {
  if (!mayAct('support') || (status !== 'submitted' && status !== 'returned')) return null;
  const options = (key: string) => ({ session: 'operator', key }) as const;
  return (
    <>
      <ChangeButton
        label={t.refuse}
        title={t.refuseTitle}
        kind="danger"
        preview={stepsOf(t.refuseSteps)}
        fields={() => [reason]}
        run={({ reason = '' }, key) => ask(REFUSE, { id, reason }, options(key))}
        done={t.refused}
        reload={reload}
      />
      {status === 'submitted' && (
        <ChangeButton
          label={t.giveBack}
          title={t.giveBackTitle}
          preview={stepsOf(t.giveBackSteps)}
          fields={() => [reason]}
          run={({ reason = '' }, key) => ask(RETURN, { id, reason }, options(key))}
          done={t.givenBack}
          reload={reload}
        />
      )}
      {status === 'submitted' &&
        (mayAct('admin') ? (
          <ChangeButton
            label={t.approve}
            title={t.approveTitle}
            kind="primary"
            preview={stepsOf(t.approveSteps)}
            fields={() => [note]}
            run={({ reason }, key) => ask(APPROVE, { id, ...(reason && { reason }) }, options(key))}
            done={t.approved}
            reload={reload}
          />
        ) : (
          <p class="hint">{t.adminOnly}</p>
        ))}
    </>
  );
}
