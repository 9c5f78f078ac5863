/** The actions that the status of a charge allows; in the sandbox also those of a store, a bank or a payer. */

import { METHODS } from '../../../src/payments/methods/methods';
import { asEntered } from '../../shared/api/amounts';
import { ask } from '../../shared/api/ask';
import { formatMoney } from '../../shared/format';
import { withWords } from '../../shared/words';
import { session } from '../shell/session';
import { ActionButton, type Field } from '../ui/ActionButton';
import { refundableAmount } from './columns';
import { CAPTURE, type ChargeDetails, DISPUTE, PAY, REFUND } from './operations';

const t = withWords({
  es: {
    refund: 'Reembolsar',
    refundHint: 'El dinero vuelve al pagador y se te devuelve la parte proporcional del costo.',
    refunded: 'Reembolsado.',
    release: 'Liberar el valor reservado',
    releaseHint: 'Se libera todo el valor reservado y no se hace ningún cobro.',
    released: 'Valor reservado liberado.',
    capture: 'Capturar',
    captureHint: 'Se cobra todo el valor reservado o una parte; el resto se libera.',
    captured: 'Valor capturado.',
    upTo: (amount: string) => `Hasta ${amount}`,
    why: 'Motivo (opcional)',
    pay: 'Simular el pago',
    payHint: 'Modo de prueba: simula el pago o la respuesta del banco.',
    paid: 'Esperando al adquirente.',
    outcome: 'Resultado',
    outcomes: { approved: 'aprobado', rejected: 'rechazado', pending: 'aún pendiente' },
    dispute: 'Simular contracargo',
    decide: 'Resolver contracargo',
    disputeHint: 'Modo de prueba: simula la decisión del banco del pagador.',
    disputed: 'Contracargo abierto.',
    decided: 'Contracargo resuelto.',
    steps: { accepted: 'a favor del pagador', rejected: 'a favor del comercio' },
  },
  en: {
    refund: 'Refund',
    refundHint: 'The money returns to the payer, and the proportional share of the cost to you.',
    refunded: 'Refunded.',
    release: 'Release the reserved amount',
    releaseHint: 'The whole reserved amount is released and nothing is charged.',
    released: 'Reserved amount released.',
    capture: 'Capture',
    captureHint: 'All or part of the reserved amount is charged; the rest is released.',
    captured: 'Amount captured.',
    upTo: (amount: string) => `Up to ${amount}`,
    why: 'Reason (optional)',
    pay: 'Simulate the payment',
    payHint: 'Test mode: simulates the payment or the response of the bank.',
    paid: 'Waiting for the acquirer.',
    outcome: 'Outcome',
    outcomes: { approved: 'approved', rejected: 'declined', pending: 'still pending' },
    dispute: 'Simulate chargeback',
    decide: 'Resolve chargeback',
    disputeHint: 'Test mode: simulates the decision of the payer’s bank.',
    disputed: 'Chargeback opened.',
    decided: 'Chargeback resolved.',
    steps: { accepted: 'in favor of the payer', rejected: 'in favor of the merchant' },
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
  const left = refundableAmount(charge);
  const isRefundable = method !== 'customer' && METHODS[method].isRefundable;
  const isSandbox = session.value?.environment === 'sandbox';
  const isCollected = status === 'completed' || status === 'chargeback_adjustment';
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
          run={(values, key) => ask(CAPTURE, { id, amount: asEntered(values.amount) }, { key }).then(() => t.captured)}
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
      {isRefundable && isCollected && left > 0 && (
        <ActionButton
          label={t.refund}
          question={t.refundHint}
          fields={[amountField(left), { name: 'description', label: t.why, isOptional: true }]}
          run={({ amount, description }, key) =>
            ask(REFUND, { id, amount: asEntered(amount), why: description || null }, { key }).then(() => t.refunded)
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
