/** What can be done with a charge, as it stands. In the sandbox also what a store, a bank or a payer would do. */
import { asTyped } from '../api/amounts';
import { ask } from '../api/ask';
import { formatMoney } from '../format';
import { pick } from '../language';
import { session } from '../shell/session';
import { ActionButton, type Field } from '../ui/ActionButton';
import { leftOf } from './columns';
import { CAPTURE, type ChargeDetails, DISPUTE, PAY, REFUND } from './operations';

const t = pick({
  es: {
    refund: 'Reembolsar',
    refundHint: 'El dinero vuelve a quien pagó, y con él la parte del costo.',
    refunded: 'Reembolsado.',
    release: 'Liberar la reserva',
    releaseHint: 'La reserva se libera entera: no se cobra nada.',
    released: 'Reserva liberada.',
    capture: 'Capturar',
    captureHint: 'Se cobra lo reservado, o una parte; el resto se libera.',
    captured: 'Capturado.',
    amount: 'Valor',
    upTo: (amount: string) => `Hasta ${amount}`,
    why: 'Motivo (opcional)',
    pay: 'Simular el pago',
    payHint: 'Modo de prueba: lo que harían la tienda o el banco.',
    paid: 'El adquirente avisará enseguida.',
    outcome: 'Resultado',
    outcomes: { approved: 'pagado', rejected: 'rechazado', pending: 'todavía pendiente' },
    dispute: 'Simular una disputa',
    decide: 'Decidir la disputa',
    disputeHint: 'Modo de prueba: lo que haría el banco de quien pagó.',
    disputed: 'Disputa abierta.',
    decided: 'Disputa decidida.',
    steps: { accepted: 'para quien pagó', rejected: 'para la tienda' },
  },
  en: {
    refund: 'Refund',
    refundHint: 'The money goes back to whoever paid, and with it its share of the cost.',
    refunded: 'Refunded.',
    release: 'Release the reservation',
    releaseHint: 'The reservation is released as a whole: nothing is charged.',
    released: 'Reservation released.',
    capture: 'Capture',
    captureHint: 'What was reserved is taken, or a part of it; the rest is released.',
    captured: 'Captured.',
    amount: 'Amount',
    upTo: (amount: string) => `Up to ${amount}`,
    why: 'Why (optional)',
    pay: 'Simulate the payment',
    payHint: 'Test mode: what the store or the bank would do.',
    paid: 'The acquirer will tell in a moment.',
    outcome: 'Outcome',
    outcomes: { approved: 'paid', rejected: 'rejected', pending: 'still pending' },
    dispute: 'Simulate a dispute',
    decide: 'Decide the dispute',
    disputeHint: 'Test mode: what the bank of the payer would do.',
    disputed: 'Dispute opened.',
    decided: 'Dispute decided.',
    steps: { accepted: 'for the payer', rejected: 'for the shop' },
  },
});

const amountField = (amount: number): Field => ({
  name: 'amount',
  label: t.amount,
  type: 'amount',
  value: amount,
  hint: t.upTo(formatMoney(amount)),
});

export function ChargeActions({ charge, done }: { charge: ChargeDetails; done: () => void }) {
  const { id, amount, status, method, payment_method, authorization } = charge;
  const left = leftOf(charge);
  const isSandbox = session.value?.environment === 'sandbox';
  const isTaken = status === 'completed' || status === 'chargeback_adjustment';
  const isReserved = method === 'card' && status === 'in_progress' && !payment_method && authorization !== null;
  const waits = method !== 'card' && (status === 'in_progress' || status === 'charge_pending');
  return (
    <>
      {isReserved && (
        <ActionButton
          label={t.capture}
          kind="primary"
          question={t.captureHint}
          fields={[amountField(amount)]}
          run={(values, key) => ask(CAPTURE, { id, amount: asTyped(values.amount) }, { key }).then(() => t.captured)}
          done={done}
        />
      )}
      {isReserved && (
        <ActionButton
          label={t.release}
          kind="danger"
          question={t.releaseHint}
          run={(_, key) => ask(REFUND, { id }, { key }).then(() => t.released)}
          done={done}
        />
      )}
      {method === 'card' && isTaken && left > 0 && (
        <ActionButton
          label={t.refund}
          question={t.refundHint}
          fields={[amountField(left), { name: 'description', label: t.why, isOptional: true }]}
          run={({ amount, description }, key) =>
            ask(REFUND, { id, amount: asTyped(amount), why: description || null }, { key }).then(() => t.refunded)
          }
          done={done}
        />
      )}
      {isSandbox && waits && (
        <ActionButton
          label={t.pay}
          question={t.payHint}
          fields={[{ name: 'outcome', label: t.outcome, type: 'select', options: Object.entries(t.outcomes) }]}
          run={({ outcome }, key) =>
            ask(PAY, { id, outcome: outcome as keyof typeof t.outcomes }, { key }).then(() => t.paid)
          }
          done={done}
        />
      )}
      {isSandbox && method === 'card' && status === 'completed' && (
        <ActionButton
          label={t.dispute}
          question={t.disputeHint}
          run={(_, key) => ask(DISPUTE, { id, outcome: 'open' }, { key }).then(() => t.disputed)}
          done={done}
        />
      )}
      {isSandbox && status === 'chargeback_pending' && (
        <ActionButton
          label={t.decide}
          question={t.disputeHint}
          fields={[{ name: 'outcome', label: t.outcome, type: 'select', options: Object.entries(t.steps) }]}
          run={({ outcome }, key) =>
            ask(DISPUTE, { id, outcome: outcome as keyof typeof t.steps }, { key }).then(() => t.decided)
          }
          done={done}
        />
      )}
    </>
  );
}
