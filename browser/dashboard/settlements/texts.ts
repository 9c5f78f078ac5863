import { withWords } from '../../shared/words';

export const t = withWords({
  es: {
    title: 'Liquidaciones',
    about: 'Pagos diarios del adquirente, conciliados con la contabilidad de recaudo.',
    day: 'Día',
    count: 'Partidas',
    costTax: 'IVA del costo',
    refunds: 'Reembolsos',
    chargebacks: 'Contracargos',
    payouts: 'Desembolsos',
    differences: 'Diferencias',
    made: 'Reporte',
    settlement: (day: string) => `Liquidación del ${day}`,
    items: 'Partidas de esta liquidación',
    summary: 'Resumen',
    differsHint: (count: number) =>
      `${count === 1 ? 'Una partida del reporte está en revisión y no se incluye' : `${count} partidas del reporte están en revisión y no se incluyen`} en los totales.`,
    types: { charge: 'cobro', refund: 'reembolso', chargeback: 'contracargo', payout: 'desembolso' },
  },
  en: {
    title: 'Settlements',
    about: 'Daily payments from the acquirer, reconciled with recaudo’s books.',
    day: 'Day',
    count: 'Items',
    costTax: 'VAT on the cost',
    refunds: 'Refunds',
    chargebacks: 'Chargebacks',
    payouts: 'Payouts',
    differences: 'Differences',
    made: 'Report',
    settlement: (day: string) => `Settlement of ${day}`,
    items: 'Items of this settlement',
    summary: 'Summary',
    differsHint: (count: number) =>
      `${count === 1 ? 'One item of the report is under review and is not included' : `${count} items of the report are under review and are not included`} in the totals.`,
    types: { charge: 'charge', refund: 'refund', chargeback: 'chargeback', payout: 'payout' },
  },
});
