import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "@latchkey/testkit";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");
const outputBytesMax = 64 * 1024 * 1024;

/** Its own names, so that an installation of the same engine is not touched. */
const project = "latchkey-matrix";
const image = "latchkey:matrix";

/** The members that a test process needs to use the installation. */
export interface Installation {
  /** The variables of its commands. */
  environment: Record<string, string>;
  origin: string;
}

declare module "vitest" {
  // An interface, because only interfaces merge with vitest's own.
  export interface ProvidedContext {
    installation: Installation;
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
};

/** Replaces the names of the documented installation by those of this one, and lets commands run in any folder. */
const withOwnNames = (script: string): string =>
  script
    .replaceAll(/\blatchkey_(?=(?:postgres|redis|secrets)\b)/g, `${project}_`)
    .replaceAll(/\blatchkey:\d\S*/g, image)
    .replaceAll("latchkey:previous", `${image}-previous`)
    .replaceAll("-f infra/", `-f ${root}/infra/`);

/** Runs documented commands of the shell in a folder. Resolves with their output and rejects with it if one fails. */
export const runScript = async (
  { environment }: Pick<Installation, "environment">,
  script: string,
  folder = root,
): Promise<string> => {
  const options = {
    cwd: folder,
    env: { ...process.env, ...environment },
    maxBuffer: outputBytesMax,
  };
  try {
    const { stdout } = await run("sh", ["-euc", withOwnNames(script)], options);
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`failed: ${script}\n${stdout}\n${stderr}`, { cause: error });
  }
};

/** Runs Docker Compose with the file of the project. */
export const compose = (installation: Pick<Installation, "environment">, args: string) =>
  runScript(installation, `docker compose -f infra/docker-compose.yml ${args}`);

/** Resolves once requests are answered again. */
export const untilServing = ({ origin }: Pick<Installation, "origin">): Promise<unknown> =>
  until(
    () =>
      fetch(`${origin}/api/auth/ok`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeoutMs: 120_000, describe: "the gateway" },
  );

/** Lets clients keep sessions, and send many requests. Its hook needs a package of the image. */
const configuration = `import { type LatchkeyConfig, WireError } from "@latchkey/contracts";

export default {
  session: { cookieCache: { enabled: true } },
  rateLimit: { enabled: false },
  databaseHooks: {
    user: {
      create: {
        before: ({ name }) => {
          if (name === "Admin") throw new WireError("FORBIDDEN", { message: "This name is reserved." });
        },
      },
    },
  },
} satisfies LatchkeyConfig;
`;

/** Builds the image and starts everything, as documented. */
export const startInstallation = async (): Promise<
  Installation & { stop: () => Promise<void> }
> => {
  const options = await mkdtemp(join(tmpdir(), "latchkey-options-"));
  await chmod(options, 0o755);
  await writeFile(join(options, "latchkey.config.ts"), configuration);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const environment = {
    COMPOSE_PROJECT_NAME: project,
    COMPOSE_PROGRESS: "plain",
    LATCHKEY_IMAGE: image,
    OPTIONS_FOLDER: options,
    BASE_URL: origin,
    PORT: String(port),
    MAILPIT_PORT: String(await freePort()),
    FRONT_PREFIX: "10.83.7",
  };
  const installation = { environment, origin };
  const stop = async () => {
    await compose(installation, "--profile scale down --volumes --remove-orphans --timeout 20");
    await rm(options, { recursive: true });
  };
  try {
    await compose(installation, "--profile scale down --volumes --remove-orphans");
    await compose(installation, "build");
    await compose(installation, "up --detach --wait");
  } catch (error) {
    const logs = await compose(installation, "logs --tail 30").catch(String);
    await stop();
    throw new Error(`the installation does not start\n${String(error)}\n${logs}`, {
      cause: error,
    });
  }
  return { ...installation, stop };
};
