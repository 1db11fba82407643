import { knownProviderIds, optionsSchema } from "@latchkey/contracts";
import { z } from "zod";

interface Row {
  name: string;
  type: string;
  fallback: string;
  meaning: string;
}

interface Definition {
  type: string;
  innerType?: z.ZodType;
  defaultValue?: unknown;
  entries?: Record<string, string>;
  values?: unknown[];
  options?: z.ZodType[];
  element?: z.ZodType;
  valueType?: z.ZodType;
  /** What a transformed value is given as. */
  in?: z.ZodType;
  /** What members without a name of the shape are. */
  catchall?: z.ZodType;
}

const definitionOf = ({ def }: { def: unknown }): Definition => def as Definition;

/** The schema below its default, optionality and transformation. */
const bare = (schema: z.ZodType): z.ZodType => {
  const { type, innerType, in: given } = definitionOf(schema);
  if (type === "pipe" && given) return bare(given);
  return innerType && ["default", "prefault", "optional"].includes(type) ? bare(innerType) : schema;
};

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> => {
  const inner = bare(schema);
  return inner instanceof z.ZodObject ? inner.shape : {};
};

/** Blanks and commas need quotes to be seen. */
const visible = (value: string): string => (/[\s,]/.test(value) ? `"${value}"` : value);

const typeOf = (schema: z.ZodType): string => {
  const definition = definitionOf(bare(schema));
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

/** What the members of an object that takes any name are, where it says more of them than that. */
const anyMemberOf = (schema: z.ZodType): z.ZodType | undefined => {
  const { catchall } = definitionOf(bare(schema));
  return catchall && Object.keys(shapeOf(catchall)).length > 0 ? catchall : undefined;
};

/** Rows of members that have much in common: what all have, what single ones add, and what one of any name adds. */
const rowsOfMembers = (schema: z.ZodType, anyMember: z.ZodType, name: string): Row[] => {
  const members = Object.entries(shapeOf(schema));
  const any = shapeOf(anyMember);
  const isShared = (option: string): boolean =>
    members.every(([, member]) => shapeOf(member)[option] === any[option]);
  const shared = Object.entries(any).filter(([option]) => isShared(option));
  const own = (member: z.ZodType) =>
    Object.entries(shapeOf(member)).filter(([option]) => !(option in any && isShared(option)));
  return [
    ...shared.flatMap(([option, below]) => rowsOf(below, `${name}.<id>.${option}`)),
    ...members.flatMap(([id, member]) =>
      own(member).flatMap(([option, below]) => rowsOf(below, `${name}.${id}.${option}`)),
    ),
    ...own(anyMember).flatMap(([option, below]) => rowsOf(below, `${name}.<any id>.${option}`)),
  ];
};

const rowsOf = (schema: z.ZodType, name: string): Row[] => {
  const inner = bare(schema);
  const meaning = schema.description ?? inner.description ?? "";
  const anyMember = anyMemberOf(schema);
  if (anyMember) return rowsOfMembers(schema, anyMember, name);
  if (inner instanceof z.ZodObject && meaning === "")
    return Object.entries(shapeOf(inner)).flatMap(([member, below]) =>
      rowsOf(below, name === "" ? member : `${name}.${member}`),
    );
  return [{ name, type: typeOf(schema), fallback: defaultOf(schema), meaning }];
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
metrics of the gateway), \`IDENTITY_URL\`, \`ORGANIZATION_URL\`, \`APIKEY_URL\`, \`MAILER_URL\`. \`NODE_ENV=production\` makes the checks of production apply: a secret
of your own, an SMTP server, a base URL or trusted hosts, a database.

This page is printed from the options by \`npm run docs\`.
`;
};
