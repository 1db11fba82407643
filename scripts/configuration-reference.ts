import {
  anyMemberOf,
  bareOption,
  definitionOf,
  isPart,
  knownProviderIds,
  meaningOf,
  membersOf,
  optionsSchema,
} from "@latchkey/contracts";
import { optionVariables, processVariables } from "@latchkey/service-kit";
import type { z } from "zod";
import { developmentVariables } from "./development-variables.ts";

interface Row {
  name: string;
  type: string;
  fallback: string;
  meaning: string;
}

/** Blanks and commas need quotes to be seen. */
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

/** Rows of members that have much in common: what all have, what single ones add, and what one of any name adds. */
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

/** The variable that ends a meaning is the row's own name here. */
const withoutVariable = (meaning: string, name: string): string =>
  meaning.replace(new RegExp(` \\(${name}(?:, (.*))?\\)$`), (_, form?: string) =>
    form ? ` (${form})` : "",
  );

const variableRows = (options: readonly Row[]): string[] => {
  const known = new Map(options.map((row) => [row.name, row]));
  const ofOptions = optionVariables.map(({ name, option, isSecret }) => {
    const { fallback = "", meaning = "" } = known.get(option) ?? {};
    const shown = isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    return line(shown, `\`${option}\``, fallback, withoutVariable(meaning, name));
  });
  const others = processVariables.map(({ name, fallback, meaning }) =>
    line(`\`${name}\``, "", fallback, meaning),
  );
  return [...ofOptions, ...others];
};

/** The reference of every option and variable, as Markdown. */
export const configurationReference = (): string => {
  const options = rowsOf(optionsSchema, "");
  const rows = options.map(({ name, type, fallback, meaning }) =>
    line(`\`${name}\``, type, fallback, meaning),
  );
  return `# Configuration

Options live in \`latchkey.config.ts\` (or \`.json\`; another path in \`LATCHKEY_CONFIG\`), whose default export is a tree of
them; options that are functions work in the \`.ts\` form only. The [variables](#variables-of-the-environment) below are laid over the
file. Whatever is wrong is told at once, before anything listens.

\`\`\`ts
import type { LatchkeyConfig } from "@latchkey/contracts";

export default {
  baseURL: "https://auth.example.com",
  trustedOrigins: ["https://app.example.com"],
  emailAndPassword: { requireEmailVerification: true },
} satisfies LatchkeyConfig;
\`\`\`

| option | type | default | meaning |
|---|---|---|---|
${rows.join("\n")}

\`<id>\` stands for every provider. Those that need nothing but credentials are ${knownProviderIds.map((id) => `\`${id}\``).join(", ")}; under any
other id of your choice a provider is described by its issuer or its endpoints ([providers](providers.md)).

## Variables of the environment

Every variable that Latchkey reads. One that says an option is laid over the file. An empty one counts as absent.

What holds a secret, or an address with one, may be given as a file: \`AUTH_SECRET_FILE=/run/secrets/auth_secret\`, as Docker and
Kubernetes hand out secrets. A newline at its end is no part of it. A file that cannot be read or is empty is told as a problem,
and so is a variable that is given both ways.

| variable | option | default | meaning |
|---|---|---|---|
${variableRows(options).join("\n")}

At SIGTERM a process is not ready any more and still answers for \`DRAIN_SECONDS\`, so that whoever calls it goes elsewhere; then
it closes, within ten seconds more. Allow it twenty.

Traces are on where \`OTEL_EXPORTER_OTLP_ENDPOINT\` names a collector; which variables count is told by
[observability](observability.md#traces).

Roles of services in Postgres, poolers and TLS are told in [database](database.md). Tests and development read a few more:

| variable | meaning |
|---|---|
${developmentVariables.map(({ name, meaning }) => line(`\`${name}\``, meaning)).join("\n")}

This page is printed from the options and variables by \`npm run docs\`.
`;
};
