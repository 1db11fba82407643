import { createHash, randomBytes } from "node:crypto";
import { Client } from "pg";

/**
 * `hash` identifies the contents, for example a hash of the migrations. Databases are cloned from the first template that was built under
 * this
 * name and hash on this server. `build` fills an empty database and closes its connections before it resolves.
 */
export type DatabaseTemplate = {
  name: string;
  hash: string;
  build: (url: string) => Promise<void>;
};

export type TestDatabase = {
  url: string;
  /** Drops it, and ends connections that are still open. */
  drop(): Promise<void>;
};

/**
 * Creates a database for a test file, cloned from a template. The template is built once per server; parallel workers wait for the
 * one that builds.
 * @param input.baseUrl any database of the server, as a role that may create databases
 */
export async function createTestDatabase(input: {
  baseUrl: string;
  template: DatabaseTemplate;
}): Promise<TestDatabase> {
  const { baseUrl, template } = input;
  const name = `latchkey_test_${randomBytes(8).toString("hex")}`;
  await withClient(baseUrl, async (client) => {
    const templateName = await ensureTemplate(client, baseUrl, template);
    // Copies files, with the cache of the system catalogs, which is faster than logging each page.
    await client.query(`create database ${name} template ${templateName} strategy file_copy`);
  });
  return {
    url: withDatabase(baseUrl, name),
    drop: () =>
      withClient(baseUrl, (client) =>
        client.query(`drop database if exists ${name} with (force)`),
      ).then(() => undefined),
  };
}

async function ensureTemplate(
  client: Client,
  baseUrl: string,
  template: DatabaseTemplate,
): Promise<string> {
  const digest = createHash("sha256")
    .update(`${template.name}\0${template.hash}`)
    .digest("hex")
    .slice(0, 24);
  const name = `latchkey_template_${digest}`;
  if (await exists(client, name)) return name;
  await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
  try {
    if (!(await exists(client, name))) await buildTemplate(client, baseUrl, name, template);
  } finally {
    await client.query("select pg_advisory_unlock(hashtextextended($1, 0))", [name]);
  }
  return name;
}

/** Built under another name and then renamed, so that a failed or killed build is never used as a template. */
async function buildTemplate(
  client: Client,
  baseUrl: string,
  name: string,
  template: DatabaseTemplate,
): Promise<void> {
  const unfinished = `${name}_unfinished`;
  await client.query(`drop database if exists ${unfinished} with (force)`);
  await client.query(`create database ${unfinished}`);
  await template.build(withDatabase(baseUrl, unfinished));
  // A first connection saves the cache of the system catalogs, which copies then share. Without it, each first connection rebuilds it.
  await withClient(withDatabase(baseUrl, unfinished), (own) => own.query("select 1"));
  await client.query(`alter database ${unfinished} with allow_connections false`);
  await client.query(`alter database ${unfinished} rename to ${name}`);
}

async function exists(client: Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
  return rowCount === 1;
}

async function withClient<T>(
  connectionString: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function withDatabase(baseUrl: string, name: string): string {
  const url = new URL(baseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
