import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';

/** Shows Markdown in the Temporal UI, followed by the link to the operator page that the workflow was started with. */
export function showDetails(paragraphs: readonly string[]): void {
  const { operator_page: url } = workflowInfo().memo ?? {};
  const link = url ? [`[Timeline and actions on the operator page](${url})`] : [];
  setCurrentDetails([...paragraphs, ...link].join('\n\n'));
}
