import { rename, writeFile } from "node:fs/promises";
import {
  type AdditionalField,
  adminStatements,
  type Options,
  organizationFieldKinds,
  type Permissions,
  type RoleDefinitions,
} from "@latchkey/contracts";
import { readExamined } from "../doctor/read-examined.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Command } from "./command.ts";
import { readOptions } from "./read-options.ts";

/** The sections of the configuration that the declarations describe. */
const described = ["user", "session", "admin", "organization"] as const;
export type Described = Pick<Options, (typeof described)[number]>;

type Fields = Readonly<Record<string, AdditionalField>>;
type Member = readonly [name: string, type: string];

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `"${name}"`);

const indent = (text: string): string => text.replaceAll("\n", "\n  ");

const objectOf = (members: readonly Member[]): string =>
  members.length === 0
    ? "{}"
    : `{\n${members.map(([name, type]) => `  ${nameOf(name)}: ${indent(type)};\n`).join("")}}`;

const textsOf = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;

/** Returns the type of a value in JSON, which has texts for times. */
const jsonTypeOf = ({ type }: AdditionalField): string => {
  if (Array.isArray(type)) return type.map((text) => JSON.stringify(text)).join(" | ");
  return type === "date" ? "string" : type;
};

/** Only shown fields. Each may be null, because a row may be older than its option. */
const shownFields = (fields: Fields): string =>
  objectOf(
    Object.entries(fields)
      .filter(([, { returned }]) => returned)
      .map(([name, field]) => [name, `${jsonTypeOf(field)} | null`]),
  );

/** A field as the SDK describes it. Of a default, its types need to know only that there is one. */
const sdkField = ({ type, required, input, returned, defaultValue }: AdditionalField): string =>
  objectOf([
    ["type", Array.isArray(type) ? textsOf(type) : JSON.stringify(type)],
    ["required", String(required)],
    ["input", String(input)],
    ["returned", String(returned)],
    ...(defaultValue === undefined ? [] : [["defaultValue", "string"] as const]),
  ]);

const sdkFields = (fields: Fields): string =>
  objectOf([
    [
      "additionalFields",
      objectOf(Object.entries(fields).map(([name, field]) => [name, sdkField(field)])),
    ],
  ]);

const permissionsOf = (permissions: Permissions): string =>
  objectOf(
    Object.entries(permissions).map(([resource, actions]) => [
      resource,
      `readonly ${textsOf(actions)}`,
    ]),
  );

/** Returns every action that a permission or a role names. */
const allActions = (statements: Permissions, roles: RoleDefinitions): Permissions => {
  const actions = new Map<string, Set<string>>();
  for (const permissions of [statements, ...Object.values(roles)])
    for (const [resource, names] of Object.entries(permissions))
      actions.set(resource, new Set([...(actions.get(resource) ?? []), ...names]));
  return Object.fromEntries([...actions].map(([resource, names]) => [resource, [...names]]));
};

const accessOf = (statements: Permissions, roles: RoleDefinitions): Member[] => [
  ["ac", `AccessControl<${permissionsOf(allActions(statements, roles))}>`],
  [
    "roles",
    objectOf(
      Object.entries(roles).map(([name, permissions]) => [
        name,
        `Role<${permissionsOf(permissions)}>`,
      ]),
    ),
  ],
];

/** The fields of organizations and of what is in them, as `organizationClient` takes them. */
const organizationSchema = ({ schema }: Options["organization"]): string =>
  objectOf(organizationFieldKinds.map((kind) => [kind, sdkFields(schema[kind].additionalFields)]));

const enabledOf = ({ enabled }: { readonly enabled: boolean }): string =>
  objectOf([["enabled", String(enabled)]]);

const declare = (name: string, purpose: string, type: string): string =>
  `/** ${purpose} */\nexport type ${name} = ${type};\n`;

/** Returns the declarations of what applications otherwise repeat from the configuration. */
export const describeTypes = ({ user, session, admin, organization }: Described): string =>
  [
    "// Written by `npx latchkey types`. Write it again when fields, roles or permissions of the configuration change.\n" +
      'import type { AccessControl, Role } from "better-auth/plugins/access";\n',
    declare(
      "LatchkeyFields",
      "Additional fields, for `createLatchkey<LatchkeyFields>` and the hooks of `@latchkey/react`.",
      objectOf([
        ["user", shownFields(user.additionalFields)],
        ["session", shownFields(session.additionalFields)],
      ]),
    ),
    declare(
      "LatchkeyOptions",
      "Additional fields, for `inferAdditionalFields<LatchkeyOptions>()` of the SDK.",
      objectOf([
        [
          "options",
          objectOf([
            ["user", sdkFields(user.additionalFields)],
            ["session", sdkFields(session.additionalFields)],
          ]),
        ],
      ]),
    ),
    declare(
      "LatchkeyAdmin",
      "Roles of the installation, for `adminClient<LatchkeyAdmin>()` of the SDK.",
      objectOf(accessOf(adminStatements, admin.roles)),
    ),
    declare(
      "LatchkeyOrganization",
      "Roles and additional fields of organizations, for `organizationClient<LatchkeyOrganization>()` of the SDK.",
      objectOf([
        ...accessOf({}, organization.roles),
        ["schema", organizationSchema(organization)],
        ["teams", enabledOf(organization.teams)],
        ["dynamicAccessControl", enabledOf(organization.dynamicAccessControl)],
      ]),
    ),
  ].join("\n");

/** Writes a file whole, so that a compiler that watches it never reads a part. */
const replaceFile = async (path: string, text: string): Promise<void> => {
  const fresh = `${path}.new`;
  await writeFile(fresh, text);
  await rename(fresh, path);
};

/** Writes declarations of the configuration for applications in TypeScript. */
export const typesCommand: Command = {
  usage: `Usage: npx latchkey types [--output latchkey.d.ts]

Writes TypeScript declarations of the additional fields, roles and permissions of the configuration, for the repository of your
application. Needs no database.

  --output <file>   the file to write or replace; otherwise the declarations are printed
`,
  run: async (args) => {
    const { output } = readOptions(args, { output: { type: "string" } });
    const { settings, leftOut, problems } = await readExamined(process.env);
    if (described.some((name) => leftOut.has(name)))
      throw new Refusal(`the configuration has problems:\n  ${problems.join("\n  ")}`);
    const text = describeTypes(settings.options);
    if (output === undefined) process.stdout.write(text);
    else await replaceFile(output, text);
    return 0;
  },
};
