import { CopyButton } from '../shared/ui/CopyButton';
import { CodeEditor } from './CodeEditor';
import { answerView } from './editors';
import { t } from './texts';
import { current } from './workspace';

const createView = (host: HTMLElement) => answerView(host, t.answer);

export function AnswerPane() {
  const { answer, note, mood } = current.value;
  return (
    <section class="answer" aria-label={t.answer}>
      <div class="tools">
        <p class="note" role="status" data-mood={mood}>
          {note}
        </p>
        {answer && <CopyButton text={answer} />}
      </div>
      <div class="panel">
        <CodeEditor create={createView} text={answer} />
      </div>
    </section>
  );
}
