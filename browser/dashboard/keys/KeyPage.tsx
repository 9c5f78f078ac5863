import { Facts, Id } from '../../shared/ui/Facts';
import { Moment } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { Section } from '../ui/Section';
import { Commands, changing } from './Commands';
import { ForFullSessions } from './Frame';
import { KEY } from './operations';
import { rightsOf, t } from './texts';

export const KeyPage = ({ params: { id } }: { params: { id: string } }) => (
  <ForFullSessions title={t.keys}>
    <Key id={id} />
  </ForFullSessions>
);

function Key({ id }: { id: string }) {
  const page = useQuery(KEY, { id });
  return (
    <Shown of={page} lines={6}>
      {({ key }) =>
        key && (
          <>
            <PageHead title={key.name ?? t.unnamed} />
            <Section title={t.key}>
              <Facts
                of={[
                  [t.key, <code key="masked">{key.masked}</code>],
                  [t.kind, t.kinds[key.kind]],
                  [t.rights, rightsOf(key)],
                  [t.addresses, key.addresses.join(', ') || t.anywhere],
                  [t.lastUsed, key.last_used_at ? <Moment at={key.last_used_at} /> : t.never],
                  [t.expires, key.expires_at && <Moment at={key.expires_at} />],
                  [t.created, <Moment key="created" at={key.creation_date} />],
                  ['id', <Id key="id" id={key.id} />],
                ]}
              />
            </Section>
            <Commands title={t.how} of={changing(key.id, key.name, key.addresses)} />
          </>
        )
      }
    </Shown>
  );
}
