import { ask } from '../../shared/api/ask';
import type { TableColumn } from '../../shared/ui/Table';
import { declineOptions } from '../charges/reasons';
import { SendCardLink } from '../links/SendLink';
import { TableSection } from '../lists/TableSection';
import { session } from '../shell/session';
import { ActionButton } from '../ui/ActionButton';
import { cardName, cardType, expiryOf } from '../ui/names';
import { type CardRow, type CustomerDetails, cardsOf, DELETE_CARD, SCRIPT_CARD, UPDATE_CARD } from './operations';
import { t } from './texts';

const furtherOf = ({ type, bank_name }: CardRow): string =>
  [type && cardType(type), bank_name].filter(Boolean).join(' · ');

export function CustomerCards({ customer, done }: { customer: CustomerDetails; done: () => void }) {
  const cards = cardsOf(customer);
  const columns: TableColumn<CardRow>[] = [
    {
      key: 'card',
      name: t.card,
      cell: card => (
        <span>
          {cardName(card)} <small>{furtherOf(card)}</small>
        </span>
      ),
    },
    { key: 'holder', name: t.holder, cell: ({ holder_name }) => holder_name },
    { key: 'expires', name: t.expires, cell: expiryOf },
    { key: 'actions', name: t.actions, cell: card => <CardActions {...{ card, done }} customer={customer.id} /> },
  ];
  return (
    <TableSection
      label={t.cards}
      columns={columns}
      rows={cards}
      keyOf={({ id }) => id}
      empty={t.noCards}
      action={<SendCardLink {...{ customer, done }} />}
      fields={['customer.cards']}
    />
  );
}

function CardActions({ card, customer, done }: { card: CardRow; customer: string; done: () => void }) {
  const name = cardName(card);
  const { id } = card;
  return (
    <span class="actions">
      {session.value?.environment === 'sandbox' && (
        <ActionButton
          label={t.script}
          title={t.scriptTitle(name)}
          question={t.scriptHint}
          fields={[
            { name: 'outcome', label: t.outcome, type: 'select', options: declineOptions },
            { name: 'times', label: t.times, type: 'number', value: 1 },
          ]}
          run={({ outcome, times }, key) => {
            const outcomes = Array.from({ length: Math.max(1, Number(times)) }, () => Number(outcome));
            return ask(SCRIPT_CARD, { id, outcomes }, { key }).then(() => t.scripted);
          }}
        />
      )}
      <ActionButton
        label={t.edit}
        title={t.editCardTitle(name)}
        fields={[
          { name: 'holder_name', label: t.holder, value: card.holder_name },
          { name: 'expiration_month', label: t.month, value: card.expiration_month },
          { name: 'expiration_year', label: t.year, value: card.expiration_year, hint: t.yearHint },
        ]}
        run={(card, key) => ask(UPDATE_CARD, { customer, id, card }, { key }).then(() => t.saved)}
        done={done}
      />
      <ActionButton
        label={t.removeCard}
        title={t.removeCardTitle(name)}
        kind="danger"
        question={t.removeCardHint}
        run={(_, key) => ask(DELETE_CARD, { customer, id }, { key }).then(() => t.removedCard)}
        done={done}
      />
    </span>
  );
}
