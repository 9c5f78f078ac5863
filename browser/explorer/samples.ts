/** Operations to begin with. In order they tell a story, in which each takes its identifiers from earlier answers. */
import { language } from '../shared/language';
import { fillInIds } from '../shared/lastIds';

interface Sample {
  es: string;
  en: string;
  query: string;
  /** A name in braces, such as {customer}, is replaced by the last identifier of that kind in an answer. */
  variables?: object;
}

const year = new Date().getFullYear() + 3;

const samples: Sample[] = [
  {
    es: 'Ver el comercio y su saldo',
    en: 'See the merchant and its balance',
    query: `query Merchant {
  merchant {
    id
    name
    status
    balance
    available
    customers_balance
  }
}
`,
  },
  {
    es: 'Ver eventos en vivo (déjalo abierto)',
    en: 'Watch events live (leave it open)',
    query: `subscription LiveEvents {
  events {
    type
    event_date
    object_id
    object {
      __typename
      ... on Transaction {
        amount
        description
      }
      ... on CustomerSubscription {
        status
        charge_date
      }
    }
  }
}
`,
  },
  {
    es: 'Crear un cliente',
    en: 'Create a customer',
    query: `mutation CreateCustomer($customer: CreateCustomer!) {
  createCustomer(customer: $customer) {
    id
    name
    email
    creation_date
  }
}
`,
    variables: { customer: { name: 'María Gómez', email: 'maria@example.com', requires_account: false } },
  },
  {
    es: 'Guardar una tarjeta de prueba',
    en: 'Save a test card',
    query: `mutation SaveCard($customer_id: ID!, $card: CreateCard!) {
  createCard(customer_id: $customer_id, card: $card) {
    id
    card_number
    brand
    expiration_month
    expiration_year
  }
}
`,
    variables: {
      customer_id: '{customer}',
      card: {
        holder_name: 'María Gómez',
        card_number: '4111111111111111',
        cvv2: '123',
        expiration_month: '12',
        expiration_year: String(year % 100),
      },
    },
  },
  {
    es: 'Cobrar a la tarjeta',
    en: 'Charge the card',
    query: `mutation Charge($customer_id: ID!, $charge: CreateCharge!) {
  createCharge(customer_id: $customer_id, charge: $charge) {
    id
    status
    amount
    authorization
    fee {
      amount
      tax
    }
  }
}
`,
    variables: {
      customer_id: '{customer}',
      charge: {
        method: 'card',
        source_id: '{card}',
        device_session_id: 'explorer',
        amount: 100000,
        currency: 'COP',
        iva: '19%',
        description: 'Pedido de prueba',
      },
    },
  },
  {
    es: 'Crear un plan mensual',
    en: 'Create a monthly plan',
    query: `mutation CreatePlan($plan: CreatePlan!) {
  createPlan(plan: $plan) {
    id
    name
    amount
    repeat_unit
  }
}
`,
    variables: {
      plan: {
        name: 'Mensual',
        amount: 49900,
        repeat_every: 1,
        repeat_unit: 'month',
        trial_days: 0,
        retry_times: 3,
        status_after_retry: 'unpaid',
      },
    },
  },
  {
    es: 'Suscribir al cliente',
    en: 'Subscribe the customer',
    query: `mutation Subscribe($customer_id: ID!, $subscription: CreateSubscription!) {
  createSubscription(customer_id: $customer_id, subscription: $subscription) {
    id
    status
    charge_date
    projection(periods: 3) {
      period
      charge_date
      amount
    }
  }
}
`,
    variables: { customer_id: '{customer}', subscription: { plan_id: '{plan}', source_id: '{card}' } },
  },
  {
    es: 'Leer la historia de la suscripción',
    en: 'Read the history of the subscription',
    query: `query History($subscription_id: ID!) {
  subscription(subscription_id: $subscription_id) {
    status
    history {
      summary
      next
      entries {
        nodes {
          date
          description
        }
      }
    }
    charges {
      edges {
        node {
          amount
          status
        }
      }
    }
  }
}
`,
    variables: { subscription_id: '{subscription}' },
  },
  {
    es: 'Clientes con sus cobros y suscripciones',
    en: 'Customers with their charges and subscriptions',
    query: `query Customers($limit: Int) {
  customers(first: $limit) {
    nodes {
      id
      name
      charges(first: 3) {
        edges {
          node {
            id
            amount
            status
          }
        }
      }
      subscriptions(first: 3) {
        edges {
          node {
            status
            charge_date
            plan {
              name
              amount
            }
          }
        }
      }
    }
  }
}
`,
    variables: { limit: 5 },
  },
];

export const sampleTitles = samples.map(sample => sample[language]);

export function openSample(i: number): { query: string; variables: string } {
  const { query = '', variables } = samples[i] ?? {};
  const text = variables ? JSON.stringify(variables, null, 2) : '';
  return { query, variables: fillInIds(text) };
}
