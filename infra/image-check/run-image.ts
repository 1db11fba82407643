import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { freePort, startBackends, startSmtpCatcher, until } from "@latchkey/testkit";
import type { Replayed } from "./replay-image.ts";
import { type Container, startContainer } from "./start-container.ts";

const startMs = 60_000;

interface Running extends Container {
  name: ServiceName;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

const expectEnd = async (
  what: string,
  { ended }: Container,
  wanted: { code: number; text?: string },
): Promise<void> => {
  const { code, said } = await ended;
  if (code !== wanted.code || !said.includes(wanted.text ?? ""))
    throw new Error(`${what}: exit code ${code}, where ${wanted.code} is due:\n${said}`);
  say(`  ${what}: exit code ${code}`);
};

const residentMegabytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
};

/** Creates the environment with the addresses for every service and command. */
const createEnvironment = async (stores: Record<string, string>) => {
  const ports = Object.fromEntries(
    await Promise.all(serviceNames.map(async (name) => [name, await freePort()] as const)),
  );
  const url = (name: ServiceName) => `http://127.0.0.1:${ports[name]}`;
  const variables = serviceNames.flatMap((name) => [
    [serviceVariables(name).url, url(name)] as const,
    [serviceVariables(name).port, String(ports[name])] as const,
  ]);
  const environment = {
    ...stores,
    ...Object.fromEntries(variables),
    HOST: "127.0.0.1",
    GATEWAY_INTERNAL_PORT: String(await freePort()),
    AUTH_SECRET: randomBytes(32).toString("base64url"),
    BASE_URL: url("gateway"),
    DRAIN_SECONDS: "0",
  };
  return { environment, origin: url("gateway") };
};

const isReady = async (image: Replayed, name: string, environment: Record<string, string>) => {
  const { ended } = startContainer(image, [...image.healthcheck, name], environment);
  return (await ended).code === 0;
};

const startService = async (
  image: Replayed,
  name: ServiceName,
  environment: Record<string, string>,
): Promise<Running> => {
  const begun = performance.now();
  const container = startContainer(image, [...image.entrypoint, name], environment);
  const ended = container.ended.then(({ said }) => {
    throw new Error(`${name} has ended:\n${said}`);
  });
  const ready = until(() => isReady(image, name, environment), {
    timeoutMs: startMs,
    intervalMs: 200,
    describe: `${name} to be ready`,
  });
  await Promise.race([ready, ended]);
  ended.catch(() => {}); // it ends only on request
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  say(`  ${name}: ready after ${seconds} s, ${await residentMegabytes(container.pid)} MB`);
  return { ...container, name };
};

/** Requests a page of each kind that the gateway serves from files, and signs a user up, which needs every store. */
const useGateway = async (origin: string): Promise<void> => {
  for (const path of ["/admin", "/api/reference", "/api/auth/ok"]) {
    const { status } = await fetch(`${origin}${path}`);
    say(`  GET ${path}: ${status}`);
    if (status !== 200) throw new Error(`${path} answers ${status}`);
  }
  const answer = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ name: "Ada", email: "ada@example.com", password: "correct horse" }),
  });
  say(`  POST /api/auth/sign-up/email: ${answer.status}`);
  if (answer.status !== 200) throw new Error(await answer.text());
};

const useCommands = async (image: Replayed, environment: Record<string, string>) => {
  const start = (...args: string[]) =>
    startContainer(image, [...image.entrypoint, ...args], environment);
  await expectEnd("an unknown name", start("nonsense"), { code: 2, text: "gateway, identity" });
  await expectEnd("latchkey --version", startContainer(image, ["latchkey", "--version"]), {
    code: 0,
  });
  for (const time of ["make-secrets", "make-secrets, again"])
    await expectEnd(
      time,
      start(
        "make-secrets",
        `${image.root}/var/lib/latchkey`,
        "postgres:5432/latchkey",
        "redis:6379",
        "mailpit:1025",
        `${image.root}/tmp`,
      ),
      { code: 0 },
    );
  await expectEnd("migrate", start("migrate"), { code: 0 });
  await expectEnd("migrate, again", start("migrate"), { code: 0, text: "up to date" });
};

/** Runs everything in an image on real stores: its commands, then every service, and stops each. */
export const runImage = async (image: Replayed): Promise<void> => {
  const backends = await startBackends();
  const smtp = await startSmtpCatcher();
  const running: Running[] = [];
  try {
    const { environment, origin } = await createEnvironment({
      DATABASE_URL: backends.databaseUrl,
      REDIS_URL: backends.redisUrl,
      SMTP_URL: smtp.url,
    });
    await useCommands(image, environment);
    for (const name of serviceNames) running.push(await startService(image, name, environment));
    await useGateway(origin);
    for (const container of running.toReversed()) {
      container.stop();
      await expectEnd(`${container.name}, told to end`, container, { code: 0 });
    }
  } finally {
    for (const { stop } of running) stop();
    await smtp.stop();
    await backends.stop();
  }
};
