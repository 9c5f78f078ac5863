import { ask } from '../../shared/api/ask';
import { OnceShown } from '../../shared/ui/Copyable';
import { typeOptions, typesOf } from '../events/types';
import { ActionButton } from '../ui/ActionButton';
import { DeleteButton } from '../ui/DeleteButton';
import { DELETE, ROTATE, TEST, UPDATE, VERIFY, type WebhookRow } from './operations';
import { t } from './texts';

export function WebhookActions({ webhook, done }: { webhook: WebhookRow; done: () => void }) {
  const { id, url, status, user, event_types } = webhook;
  return (
    <>
      {status === 'verified' ? (
        <ActionButton
          label={t.test}
          kind="primary"
          question={t.testQuestion}
          run={async (_, key) => {
            await ask(TEST, { id }, { key });
            return t.testSent;
          }}
          done={done}
        />
      ) : (
        <ActionButton
          label={t.verify}
          kind="primary"
          question={t.verifyQuestion}
          fields={[{ name: 'code', label: t.code }]}
          run={async ({ code = '' }, key) => {
            await ask(VERIFY, { id, code }, { key });
            return t.verified;
          }}
          done={done}
        />
      )}
      <ActionButton
        label={t.edit}
        question={t.editQuestion}
        fields={[
          { name: 'url', label: t.url, type: 'url', value: url, hint: t.urlHint },
          {
            name: 'event_types',
            label: t.events,
            type: 'choices',
            options: typeOptions,
            value: event_types.join(','),
            hint: t.typesHint,
          },
          { name: 'user', label: t.user, value: user ?? '', isOptional: true },
          { name: 'password', label: t.password, type: 'password', hint: t.passwordHint, isOptional: true },
        ]}
        run={async ({ url: typed = url, event_types: chosen = '', user: name = '', password }, key) => {
          const webhook = {
            ...(typed !== url && { url: typed }),
            event_types: typesOf(chosen),
            user: name,
            ...(password && { password }),
          };
          await ask(UPDATE, { id, webhook }, { key });
          return t.changed;
        }}
        done={done}
      />
      <ActionButton
        label={t.rotate}
        question={t.rotateQuestion}
        run={async (_, key) => {
          const { rotateWebhookSecret } = await ask(ROTATE, { id }, { key });
          return <OnceShown hint={t.secretOnce} label={t.secret} text={rotateWebhookSecret?.secret ?? ''} />;
        }}
      />
      <DeleteButton id={id} operation={DELETE} list="/webhooks" texts={t} />
    </>
  );
}
