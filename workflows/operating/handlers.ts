/** Handles operator requests, as updates: they wake a sleeping workflow and return the outcome. */
import {
  ActivityFailure,
  ApplicationFailure,
  currentUpdateInfo,
  defineUpdate,
  setHandler,
  uuid4,
} from '@temporalio/workflow';
import type { SubscriptionSnapshot } from '../subscriptionContract';
import {
  FORM_EXAMPLE,
  formProblem,
  OPERATOR_REQUESTS,
  type OperatorForm,
  type OperatorRequest,
  type OperatorRequestName,
  REFUSED_REQUESTS,
} from './requests';

const REQUEST_NAMES = Object.keys(OPERATOR_REQUESTS) as OperatorRequestName[];

export function handleOperatorRequests(
  perform: (name: OperatorRequestName, request: OperatorRequest) => Promise<SubscriptionSnapshot>,
): void {
  for (const name of REQUEST_NAMES) {
    const description = `${OPERATOR_REQUESTS[name]} Input: ${FORM_EXAMPLE}`;
    const performForm = (form: OperatorForm): Promise<SubscriptionSnapshot> =>
      perform(name, { ...form, request_id: uuid4(), update_id: currentUpdateInfo()?.id });
    setHandler(defineUpdate<SubscriptionSnapshot, [OperatorForm]>(name), performForm, {
      description,
      validator: form => refuse(formProblem(form)),
    });
  }
  for (const [name, sentence] of Object.entries(REFUSED_REQUESTS)) {
    const validator = (): void => refuse(sentence);
    setHandler(defineUpdate<void>(name), validator, { description: `Refused. ${sentence}`, validator });
  }
}

function refuse(sentence: string | undefined): void {
  if (sentence) throw ApplicationFailure.nonRetryable(sentence, 'refused');
}

/** Rethrows the refusal without its wrapper, because operators see the message of the outermost error. */
export function rethrowRefusal(error: unknown): never {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  throw cause instanceof ApplicationFailure ? ApplicationFailure.nonRetryable(cause.message, 'refused') : error;
}
