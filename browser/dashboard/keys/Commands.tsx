/** Sessions cannot create or change keys, since a key would outlive its session. The page shows the command instead. */
import { Copyable } from '../../shared/ui/Copyable';
import { session } from '../shell/session';
import { Section } from '../ui/Section';
import { t } from './texts';

interface Command {
  name: string;
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
}

const textOf = ({ method, path, body }: Command): string => {
  const url = `${location.origin}/v1/${session.value?.merchant_id}${path}`;
  return `curl -u "$KEY:" -X ${method} ${url}${body ? ` -d '${JSON.stringify(body)}'` : ''}`;
};

export const Commands = ({ title, of }: { title: string; of: readonly Command[] }) => (
  <Section title={title}>
    <p class="hint">
      {t.whyCommand} {t.whyOnce}
    </p>
    {of.map(command => (
      <div key={command.name} class="field">
        <h3>{command.name}</h3>
        <Copyable text={textOf(command)} label={command.name} />
      </div>
    ))}
  </Section>
);

export const creating: readonly Command[] = [
  { name: t.commands.createPrivate, method: 'POST', path: '/keys', body: { kind: 'private', name: 'server' } },
  {
    name: t.commands.createReadOnly,
    method: 'POST',
    path: '/keys',
    body: { kind: 'private', name: 'reports', read_only: true },
  },
  { name: t.commands.createPublic, method: 'POST', path: '/keys', body: { kind: 'public', name: 'shop' } },
];

export const changing = (id: string, name: string | null, addresses: readonly string[]): readonly Command[] => [
  { name: t.commands.rotate, method: 'POST', path: `/keys/${id}/rotate`, body: { overlap_hours: 24 } },
  {
    name: t.commands.edit,
    method: 'PUT',
    path: `/keys/${id}`,
    body: { name: (name ?? 'server').replaceAll("'", ' '), addresses },
  },
  { name: t.commands.revoke, method: 'DELETE', path: `/keys/${id}` },
];
