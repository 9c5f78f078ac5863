/** Kill Bill, Tomcat and its test payment plugin from Maven Central, unpacked in a directory of their own. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { copyFile, cp, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const JAVA_VERSION = '17';
const TOMCAT = { group: 'org.apache.tomcat', name: 'tomcat', version: '9.0.117', type: 'tar.gz' };
/** The latest version with a published web application. */
const SERVER = { group: 'org.kill-bill.billing', name: 'killbill-profiles-killbill', version: '0.22.26', type: 'war' };
/** Approves each payment immediately and writes it to its own tables. */
const PLUGIN = {
  group: 'org.kill-bill.billing.plugin.java',
  name: 'payment-test-plugin',
  version: '7.0.5',
  type: 'jar',
};
type Artifact = typeof TOMCAT;
const DOWNLOADS = join(homedir(), '.cache', 'recaudo', 'peer');

export interface Installation {
  tomcat: string;
  /** Tomcat's directory of this instance. */
  base: string;
  bundles: string;
  /** Statements that create all tables. */
  ddl: string[];
}

/** Whether the machine has the JDK and Maven. */
export function canRunPeer(): boolean {
  try {
    execFileSync('mvn', ['--version'], { stdio: 'pipe' });
    return execFileSync('javac', ['--version'], { encoding: 'utf8' }).startsWith(`javac ${JAVA_VERSION}.`);
  } catch {
    return false;
  }
}

export async function install(directory: string, port: number): Promise<Installation> {
  const [tomcat, base, bundles] = [join(directory, 'tomcat'), join(directory, 'base'), join(directory, 'bundles')];
  const application = join(base, 'webapps', 'ROOT');
  const plugin = join(bundles, 'plugins', 'java', PLUGIN.name, PLUGIN.version);
  const ofBase = ['conf', 'logs', 'temp', 'work', 'osgi'].map(name => join(base, name));
  for (const each of [tomcat, application, plugin, join(bundles, 'platform'), ...ofBase])
    mkdirSync(each, { recursive: true });
  execFileSync('tar', ['-xzf', download(TOMCAT), '-C', tomcat, '--strip-components=1']);
  execFileSync('unzip', ['-q', download(SERVER), '-d', application]);
  await cp(join(tomcat, 'conf', 'web.xml'), join(base, 'conf', 'web.xml'));
  await writeFile(join(base, 'conf', 'server.xml'), serverXml(port));
  const pluginJar = download(PLUGIN);
  await copyFile(pluginJar, join(plugin, `${PLUGIN.name}-${PLUGIN.version}.jar`));
  const libraries = join(application, 'WEB-INF', 'lib');
  const jars = readdirSync(libraries).filter(name => /^killbill-.*\.jar$/.test(name));
  const ddl = [...jars.map(name => join(libraries, name)), pluginJar].flatMap(readDdl);
  // The functions that PostgreSQL lacks come before the tables that use them.
  ddl.sort((a, b) => Number(b.isCompatibility) - Number(a.isCompatibility));
  return { tomcat, base, bundles, ddl: ddl.flatMap(({ statements }) => statements) };
}

function download({ group, name, version, type }: Artifact): string {
  const file = join(DOWNLOADS, `${name}-${version}.${type}`);
  if (existsSync(file)) return file;
  process.stderr.write(`downloading ${name} ${version} …\n`);
  const artifact = `-Dartifact=${group}:${name}:${version}:${type}`;
  const target = [`-DoutputDirectory=${DOWNLOADS}`, '-Dmdep.useBaseVersion=true'];
  execFileSync('mvn', ['-q', '-B', 'dependency:copy', artifact, ...target], { stdio: ['ignore', 'ignore', 'inherit'] });
  return file;
}

/** One statement per text, because a trigger reads the statement that creates its table from the query. */
function readDdl(jar: string): { statements: string[]; isCompatibility: boolean }[] {
  const names = execFileSync('unzip', ['-Z1', jar], { encoding: 'utf8' }).split('\n');
  return names
    .filter(name => /(^|\/)ddl(-postgresql)?\.sql$/.test(name))
    .map(name => {
      const text = execFileSync('unzip', ['-p', jar, name], { encoding: 'utf8' });
      const isCompatibility = name.endsWith('ddl-postgresql.sql');
      return { statements: isCompatibility ? [text] : text.split(/;[ \t]*$/m), isCompatibility };
    });
}

const serverXml = (port: number): string => `<Server port="-1" shutdown="none">
  <Service name="peer">
    <Connector address="127.0.0.1" port="${port}" protocol="HTTP/1.1" maxKeepAliveRequests="-1"/>
    <Engine name="peer" defaultHost="localhost"><Host name="localhost" appBase="webapps" unpackWARs="false"/></Engine>
  </Service>
</Server>
`;
