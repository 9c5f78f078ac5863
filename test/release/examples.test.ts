/**
 * Runs the examples of /docs in every language: each exits with 0 and prints a response of its operation with the
 * fields of the documented response.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openapi } from '../../src/api/rest/openapi';
import { Contract } from '../harness/api/contract';
import { exampleAnswers } from '../harness/api/exampleAnswers';
import { runnable } from '../harness/flow/interpreters';
import { exampleEnvironment } from '../harness/merchant/exampleEnvironment';
import { testWebhooks } from '../harness/webhooks/webhooks';

const webhooks = testWebhooks();
const { api } = webhooks;
const environment = exampleEnvironment(webhooks);
const contract = new Contract(openapi('sandbox'));
const shown = exampleAnswers();

const languages = [
  ['curl', 'curl', ['bash', '-ceu']],
  ['node', process.execPath, [process.execPath, '--input-type=module', '-e']],
  ['python', 'python3', ['python3', '-c']],
] as const;

const commands = new Map<string, readonly string[]>(
  runnable(languages).map(([language, , command]) => [language, command]),
);

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string => text.replace(/&(\w+|#39);/g, (_, name) => entities[name] ?? '');

/** The programs of one operation, as its page shows them. */
async function examplesOf(tag: string, operation: string): Promise<[language: string, program: string][]> {
  const page = await fetch(`${api.origin()}/docs/${tag}`, { headers: { accept: 'text/html' } });
  const [, section = ''] = (await page.text()).split(`data-operation="${operation}"`);
  const [own = ''] = section.split('</section>');
  const programs = own.matchAll(/<pre [^>]*data-language="(\w+)"><code>([\s\S]*?)<\/code>/g);
  return [...programs].map(([, language = '', text = '']) => [language, unescaped(text)]);
}

const variablesOf = (program: string): string[] => program.match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? [];

async function run(language: string, program: string, variables: Record<string, string>): Promise<string> {
  const [file = '', ...args] = commands.get(language) ?? [];
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PYTHONIOENCODING: 'utf8', ...variables };
  const { stdout } = await promisify(execFile)(file, [...args, program], { env }).catch(error => {
    throw new Error(`${program}\nended with ${error.code}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}

beforeAll(() => environment.prepare());

const operations = contract.operations().map(documented => [documented.operation.operationId, documented] as const);

it.each(operations)('the examples of %s print its documented response', async (id, documented) => {
  const examples = await examplesOf(documented.operation.tags[0], id);
  expect(examples.map(([language]) => language)).toEqual(languages.map(([language]) => language));
  for (const [language, program] of examples.filter(([language]) => commands.has(language))) {
    await environment.removeRules();
    const printed = await run(language, program, await environment.variablesFor(id, variablesOf(program)));
    const isEmpty = '204' in documented.operation.responses;
    if (isEmpty) expect(printed.trim()).toBe(language === 'curl' ? '' : '204');
    else expect(printed.trim()).toMatch(/^[[{]/);
    // curl prints the response itself.
    if (language !== 'curl' || isEmpty) continue;
    const responses = Object.entries<{ content: Record<string, { schema: object }> }>(documented.operation.responses);
    const schema = responses.find(([status]) => status.startsWith('2'))?.[1].content['application/json']?.schema ?? {};
    const answer = JSON.parse(printed);
    expect(contract.sampler.differences(schema, answer)).toEqual([]);
    expect(contract.sampler.differences(schema, shown.compare(id, answer))).toEqual([]);
  }
});

it('no example is shown for an operation that does not exist', () => {
  const ids = operations.filter(([, { operation }]) => !('204' in operation.responses)).map(([id]) => id);
  expect(shown.operations().sort()).toEqual(ids.sort());
});
