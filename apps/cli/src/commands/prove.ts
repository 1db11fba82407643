import { env, stderr, stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";
import { normalizeEmail } from "@latchkey/contracts";
import { type CheckClass, checkClasses } from "../prove/check.ts";
import { prove, type ProveRequest } from "../prove/prove.ts";
import { describeEnd, describeResult } from "../prove/report.ts";
import type { Command } from "./command.ts";
import { openHiddenPrompt } from "../terminal/hidden-prompt.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "../terminal/refusal.ts";
import { UsageError } from "./usage-error.ts";

const passwordVariable = "LATCHKEY_ADMIN_PASSWORD";
const codeVariable = "LATCHKEY_ADMIN_CODE";
const tokenVariable = "LATCHKEY_SERVICE_TOKEN";

const options = {
  url: { type: "string", multiple: true, default: [] as string[] },
  "admin-email": { type: "string" },
  "password-stdin": { type: "boolean", default: false },
  "apikey-url": { type: "string", multiple: true, default: [] as string[] },
  "receiver-url": { type: "string" },
  "receiver-port": { type: "string" },
  domain: { type: "string", default: "example.com" },
  only: { type: "string", multiple: true, default: [] as string[] },
  callers: { type: "string", default: "16" },
  samples: { type: "string", default: "60" },
  fill: { type: "string", default: "32" },
  json: { type: "boolean", default: false },
} as const;
type Given = ReturnType<typeof readOptions<typeof options>>;

const readUrl = (name: string, written: string): URL => {
  const url = URL.parse(written);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new UsageError(`${name} must be an address such as https://auth.example.com`);
  return url;
};

const readCount = (name: string, written: string, { min, max }: { min: number; max: number }) => {
  const count = Number(written);
  if (!/^\d+$/.test(written) || count < min || count > max)
    throw new UsageError(`${name} must be a number from ${min} to ${max}`);
  return count;
};

const isClass = (name: string): name is CheckClass =>
  (checkClasses as readonly string[]).includes(name);

const readClasses = (names: readonly string[]): CheckClass[] => {
  const unknown = names.find((name) => !isClass(name));
  if (unknown !== undefined)
    throw new UsageError(`--only must be one of ${checkClasses.join(", ")}`);
  return names.filter(isClass);
};

const readPassword = async (isPiped: boolean, email: string): Promise<string> => {
  const password = env[passwordVariable];
  if (isPiped) return (await text(stdin)).replace(/\r?\n$/, "");
  if (password) return password;
  if (!stdin.isTTY)
    throw new Refusal(
      `the password of ${email} is missing: set ${passwordVariable}, or pipe it in and give --password-stdin.`,
    );
  const prompt = openHiddenPrompt({ input: stdin, output: stderr });
  try {
    return await prompt.ask(`Password of ${email}: `);
  } finally {
    prompt.close();
  }
};

const readKeys = (given: Given): ProveRequest["keys"] => {
  const urls = given["apikey-url"].map((written) => readUrl("--apikey-url", written));
  if (urls.length === 0) return undefined;
  const token = env[tokenVariable];
  if (!token) throw new UsageError(`--apikey-url goes with a service token in ${tokenVariable}`);
  return { urls, token };
};

const readReceiver = (given: Given): ProveRequest["receiver"] => {
  const { "receiver-url": url, "receiver-port": port } = given;
  if (url === undefined && port === undefined) return undefined;
  if (url === undefined || port === undefined)
    throw new UsageError("--receiver-url and --receiver-port must be given together");
  return {
    url: readUrl("--receiver-url", url),
    port: readCount("--receiver-port", port, { min: 1, max: 65_535 }),
  };
};

type Told = Omit<ProveRequest, "admin" | "onResult" | "signal"> & {
  email: string | undefined;
  isPiped: boolean;
  isJson: boolean;
};

/** Reads the command line. Throws `UsageError` for invalid arguments. */
export const readProveRequest = (args: string[]): Told => {
  const input = readOptions(args, options);
  const urls = input.url.map((written) => readUrl("--url", written));
  if (urls.length === 0) throw new UsageError("--url is required");
  const email = input["admin-email"];
  if (email !== undefined && normalizeEmail(email) === undefined)
    throw new UsageError("--admin-email must be an email address");
  if (normalizeEmail(`prove@${input.domain}`) === undefined)
    throw new UsageError("--domain must be a domain");
  return {
    urls,
    email,
    isPiped: input["password-stdin"],
    isJson: input.json,
    keys: readKeys(input),
    receiver: readReceiver(input),
    domain: input.domain,
    only: readClasses(input.only),
    measure: {
      callers: readCount("--callers", input.callers, { min: 8, max: 64 }),
      samples: readCount("--samples", input.samples, { min: 0, max: 10_000 }),
      fill: readCount("--fill", input.fill, { min: 0, max: 10_000 }),
    },
  };
};

/** The first signal ends the checks but not the cleanup. A second one ends the cleanup too. */
const endOnSignal = (): AbortSignal => {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => {
      if (interrupted.signal.aborted) process.exit(1);
      stderr.write("Interrupted: cleaning up. Interrupt again to skip that.\n");
      interrupted.abort(new Refusal("interrupted."));
    });
  return interrupted.signal;
};

/** Tests the guarantees of a deployment as one of its clients. */
export const proveCommand: Command = {
  usage: `Usage: npx latchkey prove --url <base URL> [--admin-email <address>] [--apikey-url <address>] [options]

Tests a running deployment as its clients and as attackers. It spends single-use tokens and counters in parallel, uses ids of
another tenant, skips second factors, redirects to foreign hosts, probes for accounts, uses revoked rights, and sends webhooks to internal addresses.
It creates users, organizations and webhooks named prove-..., and removes them at the end, also when it is interrupted. They stay in
the audit log.

  --url <base URL>       of the gateway; repeat it for each replica. Default path: /api/auth
  --admin-email <address>  an admin, who creates and removes the users. Password: ${passwordVariable}, or
  --password-stdin       reads it from standard input instead of prompting on the terminal. With a second factor, set
                         ${codeVariable} to a code of the admin's app or to a backup code
  --apikey-url <address> of the apikey service (internal); repeat it for each replica. Service token: ${tokenVariable}
  --receiver-url <url>   a public address that leads to --receiver-port of this machine, for webhooks. Not needed outside
                         production on the same machine
  --receiver-port <port> where this command then receives webhooks
  --domain <domain>      of all email addresses that it creates (example.com, which receives no mail). Mails are sent to them
  --only <class>         ${checkClasses.join(", ")}; may be given several times. Default: all
  --callers <number>     concurrent requests (16)
  --samples <number>     of each kind for comparing times (60); 0 skips times
  --fill <number>        the most rows to create to reach a limit (32)
  --json                 the report as JSON

Checks that lack a requirement are listed as "not proven". Exits with 0 if nothing has failed and everything was removed, else
with 1.
`,
  cleansUp: true,
  run: async (args) => {
    const { email, isPiped, isJson, ...told } = readProveRequest(args);
    const password = email && (await readPassword(isPiped, email));
    const report = await prove({
      ...told,
      admin: email && password ? { email, password, code: env[codeVariable] } : undefined,
      signal: endOnSignal(),
      onResult: (result) => (isJson ? stderr : stdout).write(describeResult(result)),
    });
    stdout.write(isJson ? `${JSON.stringify(report, null, 2)}\n` : describeEnd(report));
    return report.ok ? 0 : 1;
  },
};
