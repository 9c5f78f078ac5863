import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';

/** Shows Markdown in the Temporal UI, followed by the link to the operator page that the workflow was started with. */
export function showDetails(text: string): void {
  const { operator_page: url } = workflowInfo().memo ?? {};
  setCurrentDetails(url ? `${text}\n\n[Timeline and actions on the operator page](${url})` : text);
}
