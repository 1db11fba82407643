import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createAdmin } from "@latchkey/identity/commands";
import { readSettings, type Settings } from "@latchkey/service-kit/config";
import { until } from "@latchkey/testkit";
import { migrateAll } from "../../apps/cli/src/installation/migrate-all.ts";
import { runAll, type RunningAll } from "../../apps/all-in-one/src/run-all.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { childEnvironment } from "../harness/child-environment.ts";
import { startPostgres } from "./start-postgres.ts";
import { anyPort } from "../harness/any-port.ts";
import { latchkeyScript } from "../harness/run-latchkey.ts";

const run = promisify(execFile);

/** The values for the documents' placeholders of the reader's own data. */
export interface Own {
  secret: string;
  /** The service token that all services of the application use. */
  serviceToken: string;
  /** The id of the admin who owns the session. */
  userId: string;
  key: string;
  cookies: ReadonlyMap<string, string>;
}

export const documentedEmail = "owner@example.com";
export const documentedPassword = "correct horse";
const secret = "the secret of the installation of the documents"; // without commas, which separate several secrets
const serviceToken = "0123456789abcdef0123456789abcdef";

/** The configuration that some pages assume. */
const config = {
  serviceTokens: { shop: serviceToken },
  apiKey: {
    enableSessionForAPIKeys: true,
    organizationKeys: { enabled: true },
    permissions: { defaultPermissions: { invoice: ["read"], session: ["use"] } },
  },
};

/** A running installation on a Postgres with its tools, and folders for an operator's commands. */
export interface DocumentedSystem {
  running: RunningAll;
  url: string;
  own: Own;
  /** Creates a folder with the installation's configuration and an admin's cookie jar, in which a document's commands run. */
  openFolder(name: string): Promise<{ folder: string; environment: Record<string, string> }>;
  /** Creates an empty database on the same server, and returns its address for the owner. */
  createDatabase(name: string): Promise<string>;
  /** Runs the services on another database of the same server, as after a restore. */
  runOn(database: string): Promise<RunningAll & { base: string }>;
  stop(): Promise<void>;
}

/** Configures npx to run this Latchkey, and curl to fail on a refused request. */
const prepareHome = async (home: string): Promise<void> => {
  await mkdir(join(home, "bin"), { recursive: true });
  const npx = `#!/bin/sh\n[ "$1" = latchkey ] || exit 127\nshift\nexec "${process.execPath}" "${latchkeyScript()}" "$@"\n`;
  await writeFile(join(home, "bin", "npx"), npx, { mode: 0o755 });
  await writeFile(
    join(home, ".curlrc"),
    'silent\nshow-error\nfail-with-body\nmax-time = 30\nwrite-out = "\\n"\n',
  );
};

const portsOf = ({ services }: RunningAll): Record<string, string> => {
  const portOf = (name: string) => new URL(services[name]?.url ?? "").port;
  return {
    PORT: portOf("gateway"),
    IDENTITY_PORT: portOf("identity"),
    ORGANIZATION_PORT: portOf("organization"),
    APIKEY_PORT: portOf("apikey"),
    MAILER_PORT: portOf("mailer"),
    WEBHOOKS_PORT: portOf("webhooks"),
    GATEWAY_INTERNAL_PORT: "0",
  };
};

/** Creates a signed-in admin with an API key. */
const createOwner = async (url: string, settings: Settings): Promise<Own> => {
  const [email, name, password] = [documentedEmail, "Owner", documentedPassword];
  const { id: userId } = await createAdmin(settings, { email, name, password, data: {} });
  const browser = createBrowserLike(url);
  await browser.post("/sign-in/email", { email, password });
  const created = await browser.post("/api-key/create", {});
  const { key } = (await created.json()) as { key: string };
  return { secret, serviceToken, userId, key, cookies: browser.cookies };
};

/** Returns the cookies of a session as a cookie jar of curl. */
const cookieJar = (cookies: Own["cookies"]): string => {
  const lines = Array.from(cookies, ([name, value]) =>
    ["127.0.0.1", "FALSE", "/", "FALSE", "0", name, value].join("\t"),
  );
  return `# Netscape HTTP Cookie File\n${lines.join("\n")}\n`;
};

export const startDocumentedSystem = async (): Promise<DocumentedSystem> => {
  const home = await mkdtemp(join(tmpdir(), "latchkey-documents-"));
  await chmod(home, 0o711); // under root, Postgres's account must be able to traverse it
  await prepareHome(home);
  const postgres = await startPostgres(home);
  const tree = { secret: [secret], ...config };
  const settingsOn = (databaseUrl: string) => readSettings({ ...tree, databaseUrl }, anyPort);
  const runOn = async (database: string) => {
    const settings = settingsOn(postgres.urlOf(database));
    const running = await runAll(settings);
    await until(async () => (await fetch(`${running.services["identity"]?.url}/health/ready`)).ok);
    return { ...running, base: `${running.url}${settings.options.basePath}` };
  };
  const createDatabase = async (name: string) => {
    const maintenance = `--maintenance-db=${postgres.urlOf("postgres")}`;
    await run(join(postgres.tools, "createdb"), [maintenance, name]);
    return postgres.urlOf(name);
  };
  const databaseUrl = await createDatabase("latchkey");
  await migrateAll(settingsOn(databaseUrl));
  const running = await runOn("latchkey");
  const own = await createOwner(running.base, settingsOn(databaseUrl));
  return {
    running,
    url: running.base,
    own,
    createDatabase,
    runOn,
    openFolder: async (name) => {
      const folder = join(home, name);
      await mkdir(folder);
      await writeFile(join(folder, "latchkey.config.json"), JSON.stringify(config));
      await writeFile(join(folder, "jar"), cookieJar(own.cookies));
      const { PATH, ...others } = childEnvironment();
      const environment = {
        ...others,
        ...portsOf(running),
        PATH: `${join(home, "bin")}:${postgres.tools}:${PATH}`,
        HOME: home,
        DATABASE_URL: databaseUrl,
        AUTH_SECRET: secret,
        A: running.base,
      };
      return { folder, environment };
    },
    stop: async () => {
      await running.stop();
      await postgres.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
};
