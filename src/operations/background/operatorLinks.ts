/** Gives each workflow the URL of its object on the operator page, which its details show. */
import type { WorkflowClientInterceptor } from '@temporalio/client';

interface Started<Options> {
  readonly workflowType: string;
  readonly options: Options;
}

/** `publicUrl` is an address of the API. */
export function operatorLinks(publicUrl: string): WorkflowClientInterceptor {
  const pageOf = (type: string, workflowId: string): string =>
    type === 'settlement' ? '/operator' : `/operator/story/${workflowId.slice(type.length + 1)}`;
  const linked = <Input extends Started<{ workflowId: string; memo?: Record<string, unknown> }>>(
    input: Input,
  ): Input => {
    const { workflowType, options } = input;
    const memo = { ...options.memo, operator_page: publicUrl + pageOf(workflowType, options.workflowId) };
    return { ...input, options: { ...options, memo } };
  };
  return {
    startWithDetails: (input, next) => next(linked(input)),
    signalWithStart: (input, next) => next(linked(input)),
  };
}
