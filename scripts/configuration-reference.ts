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
import type { z } from "zod";

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

/** The reference of every option, as Markdown. */
export const configurationReference = (): string => {
  const rows = rowsOf(optionsSchema, "").map(
    ({ name, type, fallback, meaning }) =>
      `| \`${name}\` | ${cell(type)} | ${cell(fallback)} | ${cell(meaning)} |`,
  );
  return `# Configuration

Options live in \`latchkey.config.ts\` (or \`.json\`; another path in \`LATCHKEY_CONFIG\`), whose default export is a tree of
them; options that are functions work in the \`.ts\` form only. The variables named below are laid over the file, and an
empty one counts as absent. Whatever is wrong is told at once, before anything listens.

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

Where services listen and find each other is said by variables alone: \`HOST\` (default \`127.0.0.1\`, in production
\`0.0.0.0\`), \`INTERNAL_HOST\` (default the same; \`npm start\` keeps to \`127.0.0.1\`), \`PORT\` (3000), \`IDENTITY_PORT\` (3001),
\`ORGANIZATION_PORT\` (3002), \`APIKEY_PORT\` (3003), \`MAILER_PORT\` (3004), \`GATEWAY_INTERNAL_PORT\` (3005: health and
metrics of the gateway), \`IDENTITY_URL\`, \`ORGANIZATION_URL\`, \`APIKEY_URL\`, \`MAILER_URL\`. A URL may be several, with commas
between: whoever calls the service spreads requests over them, and passes over one that refuses the connection. \`npm start\` and
\`npm run start:split\` say these URLs themselves.

At SIGTERM a process is not ready any more and still answers for \`DRAIN_SECONDS\` (4 in production, 0 elsewhere), so that whoever
calls it goes elsewhere; then it closes, within ten seconds more. Allow it twenty.

\`NODE_ENV=production\` makes the checks of production apply: a secret
of your own, an SMTP server, a base URL or trusted hosts, a database.

This page is printed from the options by \`npm run docs\`.
`;
};
