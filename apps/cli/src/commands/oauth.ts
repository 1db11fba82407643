import { WireError } from "@latchkey/contracts";
import { createClient } from "@latchkey/oauth/commands";
import type { Command } from "./command.ts";
import { readOptions } from "./read-options.ts";
import { refuseWire } from "./refuse-wire.ts";
import { Refusal } from "../terminal/refusal.ts";
import { UsageError } from "./usage-error.ts";
import { withSchemas } from "./with-installation.ts";

const options = {
  name: { type: "string" },
  type: { type: "string", default: "web" },
  "redirect-uri": { type: "string", multiple: true, default: [] as string[] },
  scope: { type: "string" },
  trusted: { type: "boolean", default: false },
} as const;

/** The metadata of each type of client with users, by the names of RFC 7591. */
const types = {
  web: {},
  browser: { token_endpoint_auth_method: "none" },
  native: { token_endpoint_auth_method: "none", application_type: "native" },
} as const;

const isType = (text: string): text is keyof typeof types => Object.hasOwn(types, text);

type Wanted = Parameters<typeof createClient>[1];

type Input = ReturnType<typeof readOptions<typeof options>>;

const readMachine = (name: string, { scope, trusted, "redirect-uri": uris }: Input): Wanted => {
  if (uris.length > 0 || trusted)
    throw new UsageError("a machine has no users, so it takes no --redirect-uri and no --trusted");
  const client_credentials_scopes = scope?.split(" ").filter(Boolean) ?? [];
  if (client_credentials_scopes.length === 0)
    throw new UsageError("a machine needs a --scope, because it gets no token without one");
  return { client_name: name, grant_types: ["client_credentials"], client_credentials_scopes };
};

/** Reads the command line. Throws `UsageError` for invalid arguments. */
export const readClientRequest = (args: string[]): Wanted => {
  const input = readOptions(args, options);
  const { type, scope, trusted, "redirect-uri": redirect_uris } = input;
  const name = input.name?.trim();
  if (!name) throw new UsageError("--name is required");
  if (type === "machine") return readMachine(name, input);
  if (!isType(type)) throw new UsageError("--type must be web, browser, native or machine");
  if (redirect_uris.length === 0) throw new UsageError("--redirect-uri is required");
  return {
    ...types[type],
    client_name: name,
    redirect_uris,
    ...(scope !== undefined && { scope }),
    ...(trusted && { skip_consent: true }),
  };
};

/** Manages the clients to which users sign in. */
export const oauthCommand: Command = {
  usage: `Usage: npx latchkey oauth create-client --name <name> --redirect-uri <URI>... [--type <type>] [--scope <scopes>] [--trusted]
       npx latchkey oauth create-client --name <name> --type machine --scope <scopes>

Creates a client, prints its id, and prints its secret this once.
  --type <type>     web (default), browser (a single-page application), native (on the device of the user), or machine
  --redirect-uri <URI>
                    where users return to, compared as text. Repeat it for several
  --scope <scopes>  names separated by blanks. By default all configured ones. A machine gets tokens with these
  --trusted         users are not asked for consent
`,
  run: async ([action, ...args]) => {
    if (action !== "create-client") throw new UsageError("takes create-client");
    const wanted = readClientRequest(args);
    const client = await withSchemas(["oauth"], ({ settings }) => {
      if (!settings.options.oauthProvider.enabled)
        throw new Refusal("oauthProvider.enabled is off, so nobody signs in to clients.");
      return createClient(settings, wanted).catch((error: unknown) => {
        throw error instanceof WireError ? refuseWire(error, settings) : error;
      });
    });
    const { client_id, client_secret } = client;
    process.stdout.write(`Created ${client.client_name}, client id ${client_id}.\n`);
    if (client_secret !== undefined)
      process.stdout.write(`Secret, shown this once: ${client_secret}\n`);
    return 0;
  },
};
