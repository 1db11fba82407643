import { readFile, writeFile } from "node:fs/promises";
import {
  anyMemberOf,
  bareOption,
  definitionOf,
  isPart,
  knownProviderIds,
  meaningOf,
  membersOf,
  openApiDocument,
  optionsSchema,
} from "@latchkey/contracts";
import { optionVariables, processVariables } from "@latchkey/service-kit/config";
import type { z } from "zod";
import { pagesOf } from "../test/bench/page/pages.ts";
import { readResults } from "../test/bench/page/results.ts";
import { eventsPage } from "./events-page.ts";
import { secretsPage } from "./secrets-page.ts";
import { whatEndsPage } from "./what-ends-page.ts";

// npm run docs: generates the documents that derive from the contracts and from the bench results. With --check, reports whether they are
// current.

/** Environment variables of tests and development. No service reads them. */
export const developmentVariables: readonly { name: string; meaning: string }[] = [
  {
    name: "TEST_DATABASE_URL",
    meaning:
      "A Postgres 15 or later for the tests, by a superuser; databases and roles `latchkey_test_*` are made there. Else Docker's, or the embedded one.",
  },
  {
    name: "TEST_REDIS_URL",
    meaning: "A Redis for the tests. Else Docker's, or the `redis-server` of `PATH`.",
  },
  {
    name: "TEST_POSTGRES",
    meaning:
      "`pgbouncer` has every service of the tests reach Postgres through PgBouncer in transaction mode.",
  },
  {
    name: "TEST_REDIS",
    meaning: "`cluster` has the tests run on a Redis Cluster of three masters.",
  },
  {
    name: "TEST_STACK",
    meaning: "`split` has the tests run on services in processes of their own, two of each.",
  },
  { name: "CHROMIUM_PATH", meaning: "The Chromium that browser tests drive." },
  {
    name: "LATCHKEY_URL",
    meaning:
      "Where the admin web under development finds the gateway; `http://localhost:3000` without it.",
  },
];

interface Row {
  name: string;
  type: string;
  fallback: string;
  meaning: string;
}

/** Quotes values with blanks or commas. */
const visible = (value: string): string => (/[\s,]/.test(value) ? `"${value}"` : value);

const typeOf = (schema: z.ZodType): string => {
  const definition = definitionOf(bareOption(schema));
  if (definition.type === "custom") return "function";
  if (definition.type === "int") return "number";
  if (definition.entries) return Object.keys(definition.entries).map(visible).join(", ");
  if (definition.options) return [...new Set(definition.options.map(typeOf))].join(" or ");
  if (definition.element) return `list of ${typeOf(definition.element)}`;
  if (definition.valueType) return `map to ${typeOf(definition.valueType)}`;
  return definition.values ? definition.values.map(String).join(" or ") : definition.type;
};

const defaultOf = (schema: z.ZodType): string => {
  const { type, defaultValue } = definitionOf(schema);
  return type === "default" ? `\`${JSON.stringify(defaultValue)}\`` : "";
};

/**
 * Returns rows of members that have much in common: the common fields, the fields of single members, and those of a member with any name.
 */
const rowsOfMembers = (schema: z.ZodType, anyMember: z.ZodType, name: string): Row[] => {
  const members = Object.entries(membersOf(schema));
  const any = membersOf(anyMember);
  const isShared = (option: string): boolean =>
    members.every(([, member]) => membersOf(member)[option] === any[option]);
  const shared = Object.entries(any).filter(([option]) => isShared(option));
  const own = (member: z.ZodType) =>
    Object.entries(membersOf(member)).filter(([option]) => !(option in any && isShared(option)));
  return [
    ...shared.flatMap(([option, below]) => rowsOf(below, `${name}.<id>.${option}`)),
    ...members.flatMap(([id, member]) =>
      own(member).flatMap(([option, below]) => rowsOf(below, `${name}.${id}.${option}`)),
    ),
    ...own(anyMember).flatMap(([option, below]) => rowsOf(below, `${name}.<any id>.${option}`)),
  ];
};

const rowsOf = (schema: z.ZodType, name: string): Row[] => {
  const anyMember = anyMemberOf(schema);
  if (anyMember) return rowsOfMembers(schema, anyMember, name);
  if (isPart(schema))
    return Object.entries(membersOf(schema)).flatMap(([member, below]) =>
      rowsOf(below, name === "" ? member : `${name}.${member}`),
    );
  return [{ name, type: typeOf(schema), fallback: defaultOf(schema), meaning: meaningOf(schema) }];
};

const cell = (text: string) => text.replaceAll("|", "\\|");

const line = (...cells: string[]): string => `| ${cells.map(cell).join(" | ")} |`;

/** Removes the variable at the end of a meaning, because it is the row's name here. */
const withoutVariable = (meaning: string, name: string): string =>
  meaning.replace(new RegExp(` \\(${name}(?:, (.*))?\\)$`), (_, form?: string) =>
    form ? ` (${form})` : "",
  );

const variableRows = (options: readonly Row[]): string[] => {
  const optionByName = new Map(options.map((row) => [row.name, row]));
  const ofOptions = optionVariables.map(({ name, option, isSecret, meaning: own = "" }) => {
    const { fallback = "", meaning = own } = optionByName.get(option) ?? {};
    const shown = isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    return line(shown, `\`${option}\``, fallback, withoutVariable(meaning, name));
  });
  const others = processVariables.map(({ name, fallback, meaning }) =>
    line(`\`${name}\``, "", fallback, meaning),
  );
  return [...ofOptions, ...others];
};

/** Returns the Markdown reference of every option and variable. */
export const configurationReference = (): string => {
  const options = rowsOf(optionsSchema, "");
  const rows = options.map(({ name, type, fallback, meaning }) =>
    line(`\`${name}\``, type, fallback, meaning),
  );
  return `# Configuration

Set options in \`latchkey.config.ts\` (or \`.json\`; another path in \`LATCHKEY_CONFIG\`), whose default export is a tree of options.
Options that are functions work in the \`.ts\` form only. The [variables](#variables-of-the-environment) below override the file.
Latchkey reports all wrong options and variables before it listens.

The file may be outside the checkout, such as in \`/etc/latchkey\` of the image. It can still import \`@latchkey/contracts\`. A hook throws
its \`WireError\` to refuse a request.

\`\`\`ts
import type { LatchkeyConfig } from "@latchkey/contracts";

export default {
  baseURL: "https://auth.example.com",
  appURL: "https://app.example.com",
  emailAndPassword: { requireEmailVerification: true },
} satisfies LatchkeyConfig;
\`\`\`

Functions get additional fields beside the members of a user or session. Their type is \`unknown\`, whatever the option says, so check a value
before you use it:

\`\`\`ts
import { type LatchkeyConfig, WireError } from "@latchkey/contracts";

export default {
  user: { additionalFields: { plan: { type: ["free", "paid"], defaultValue: "free" } } },
  session: { additionalFields: { device: { type: "string", required: false } } },
  databaseHooks: {
    user: {
      create: {
        before: ({ email, plan }) => {
          if (plan === "paid" && !email.endsWith("@example.com"))
            throw new WireError("FORBIDDEN", { message: "Only members of the company have this plan." });
        },
      },
    },
  },
  jwt: {
    jwt: {
      definePayload: ({ user, session }) => ({
        email: user.email,
        isPaid: user.plan === "paid",
        device: typeof session.device === "string" ? session.device : "unknown",
      }),
    },
  },
} satisfies LatchkeyConfig;
\`\`\`

| option | type | default | meaning |
|---|---|---|---|
${rows.join("\n")}

\`<id>\` stands for the id of a provider. These providers need only credentials: ${knownProviderIds.map((id) => `\`${id}\``).join(", ")}.
Under any other id you describe a provider by its issuer or its endpoints ([providers](providers.md)).

## Variables of the environment

Latchkey reads these variables. A variable that names an option overrides the file. An empty variable counts as absent.

A secret, or an address with a secret, may be given as a file: \`AUTH_SECRET_FILE=/run/secrets/auth_secret\`, as Docker and Kubernetes
provide secrets. A newline at its end is ignored. Latchkey does not start if the file is empty or unreadable, or if a variable is given
both ways.

| variable | option | default | meaning |
|---|---|---|---|
${variableRows(options).join("\n")}

At SIGTERM a process reports that it is not ready, and continues to answer for \`DRAIN_SECONDS\`, so that callers move to other replicas.
Then it closes within ten seconds. Allow it twenty seconds in all.

Traces are on if \`OTEL_EXPORTER_OTLP_ENDPOINT\` names a collector. [Observability](observability.md#traces) lists the variables for traces.

[Database](database.md) describes the roles of services in Postgres, poolers and TLS. Tests and development read a few more variables:

| variable | meaning |
|---|---|
${developmentVariables.map(({ name, meaning }) => line(`\`${name}\``, meaning)).join("\n")}

This page is printed from the options and variables by \`npm run docs\`.
`;
};

/** Returns the alerts as a resource of the Prometheus Operator. */
const alertsOfKubernetes = async (): Promise<string> => {
  const text = await readFile("infra/observability/alerts.yml", "utf8");
  const groups = text.slice(text.indexOf("groups:"));
  return `# Printed from infra/observability/alerts.yml by \`npm run docs\`, for the Prometheus Operator.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: latchkey
  labels: { app.kubernetes.io/name: latchkey }
spec:
${groups.replaceAll(/^(?=.)/gm, "  ")}`;
};

const writeDocuments = async (): Promise<void> => {
  const documents: Readonly<Record<string, string>> = {
    "docs/openapi.json": `${JSON.stringify(openApiDocument("http://localhost:3000/api/auth"), null, 2)}\n`,
    "docs/configuration.md": configurationReference(),
    "docs/events.md": eventsPage(),
    "docs/what-ends.md": whatEndsPage(),
    "docs/secrets.md": secretsPage(),
    ...(await pagesOf(await readResults())),
    "infra/k8s/base/monitoring/alerts.yaml": await alertsOfKubernetes(),
  };

  const isCheck = process.argv.includes("--check");
  for (const [path, text] of Object.entries(documents)) {
    if (!isCheck) {
      await writeFile(path, text);
      continue;
    }
    const savedText = await readFile(path, "utf8").catch(() => "");
    if (savedText === text) continue;
    process.stderr.write(`${path} is stale: run npm run docs\n`);
    process.exitCode = 1;
  }
};

// A test imports the reference only.
if (import.meta.main) await writeDocuments();
