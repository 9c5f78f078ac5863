import { useLocation } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { Chip } from '../../shared/ui/Chip';
import { notify } from '../../shared/ui/notices';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { DeleteButton } from '../ui/DeleteButton';
import { CREATE, DELETE, RULE, UPDATE } from './operations';
import { RuleForm } from './RuleForm';
import { t } from './texts';

export function NewRule() {
  const [, navigate] = useLocation();
  return (
    <>
      <PageHead title={t.create} />
      <p class="hint">{t.about}</p>
      <RuleForm
        save={async (rule, key) => {
          const { createFraudRule } = await ask(CREATE, { rule }, { key });
          notify(createFraudRule?.warning ?? t.saved, createFraudRule?.warning ? 'bad' : 'good');
          navigate('/fraud');
        }}
      />
    </>
  );
}

export function RulePage({ params: { id } }: { params: { id: string } }) {
  const [, navigate] = useLocation();
  const page = useQuery(RULE, { id });
  return (
    <Shown of={page} lines={8}>
      {({ fraudRule: rule }) =>
        rule && (
          <>
            <PageHead
              title={rule.name}
              action={!rule.default && <DeleteButton id={id} operation={DELETE} list="/fraud" texts={t} />}
            >
              <Chip status={rule.enabled ? 'on' : 'disabled'} />
            </PageHead>
            <RuleForm
              rule={rule}
              save={async ({ kind: _, ...changes }, key) => {
                const { updateFraudRule } = await ask(UPDATE, { id, rule: changes }, { key });
                notify(updateFraudRule?.warning ?? t.saved, updateFraudRule?.warning ? 'bad' : 'good');
                navigate('/fraud');
              }}
            />
          </>
        )
      }
    </Shown>
  );
}
