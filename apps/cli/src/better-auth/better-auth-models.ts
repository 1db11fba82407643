import { importedColumns as keyColumns } from "@latchkey/apikey/commands";
import { additionalFieldsOf, type Options } from "@latchkey/contracts";
import { importedColumns as identityColumns } from "@latchkey/identity/commands";
import { importedColumns as organizationColumns } from "@latchkey/organization/commands";
import type { Columns } from "@latchkey/service-kit/database";
import { existsSql, type FieldKind, fieldSql } from "./column-sql.ts";
import { columnSql, type SourceTable, type SourceTables } from "./source-tables.ts";

/** The models that are imported, each after those that it refers to. */
export const importedModelNames = [
  "user",
  "account",
  "session",
  "verification",
  "twoFactor",
  "passkey",
  "jwks",
  "organization",
  "organizationRole",
  "team",
  "member",
  "teamMember",
  "invitation",
  "apikey",
] as const;
export type ImportedModelName = (typeof importedModelNames)[number];

const kinds = {
  bigint: "number",
  boolean: "boolean",
  bytea: "text",
  integer: "number",
  jsonb: "any",
  text: "text",
  timestamptz: "time",
} as const satisfies Record<Columns[string]["type"], FieldKind>;

const importedColumns: Readonly<Record<ImportedModelName, Columns>> = {
  ...identityColumns,
  ...organizationColumns,
  ...keyColumns,
};

/** The fields of a model. Metadata may be JSON there, and is text here. */
const fieldsOf = (model: ImportedModelName): [name: string, kind: FieldKind][] =>
  Object.entries(importedColumns[model]).map(([name, { type }]) => [
    name,
    name === "metadata" || name === "permission" ? "any" : kinds[type],
  ]);

/** Fields that are computed from several columns or tables. */
const readBesides: Readonly<Partial<Record<ImportedModelName, readonly string[]>>> = {
  apikey: ["referenceId", "configId"],
  team: ["memberCount"],
  member: ["teamId"],
  teamMember: ["userId", "membershipKey"],
  invitation: ["teamId"],
  jwks: ["crv"],
};

interface Reading {
  tables: SourceTables;
  table: SourceTable;
  timeZone: string;
  options: Options;
}

const nameIn = (table: SourceTable, field: string, alias: string): string =>
  columnSql(table.columnOf(field) ?? field, alias);

/** Returns the membership of a team's member, in the team's organization. */
const memberOfTeam = ({ tables, table }: Reading): Record<string, string> => {
  const [team, member] = [tables.of("team"), tables.of("member")];
  if (!team || !member) return { memberId: "null::text" };
  return {
    memberId: `(select ${nameIn(member, "id", "m")}::text from ${member.sql} m
      join ${team.sql} g on ${nameIn(team, "organizationId", "g")} = ${nameIn(member, "organizationId", "m")}
      where ${nameIn(team, "id", "g")}::text = ${columnSql(table.columnOf("teamId") ?? "teamId")}::text
        and ${nameIn(member, "userId", "m")} = ${columnSql(table.columnOf("userId") ?? "userId")}
      limit 1)`,
  };
};

/** Returns the names of the roles that the organization of a row made itself. */
const madeRoles = ({ tables, table }: Reading): Record<string, string> => {
  const made = tables.of("organizationRole");
  if (!made) return { madeRoles: "null::text" };
  const organization = columnSql(table.columnOf("organizationId") ?? "organizationId");
  return {
    madeRoles: `(select string_agg(${nameIn(made, "role", "r")}, ',' order by ${nameIn(made, "role", "r")})
      from ${made.sql} r where ${nameIn(made, "organizationId", "r")} = ${organization})`,
  };
};

/** Returns the teams of an invitation, which may be several. */
const invitationTeams = ({ tables, table }: Reading): string => {
  const [team, column] = [tables.of("team"), table.columnOf("teamId")];
  if (!team || column === undefined) return "null::text";
  const [id, organization] = ["id", "organizationId"].map((field) => team.columnOf(field) ?? field);
  const listed = `string_to_array(${columnSql(column)}::text, ',')`;
  return `(select json_agg(${columnSql(id ?? "", "g")}::text
      order by array_position(${listed}, ${columnSql(id ?? "", "g")}::text))::text
    from ${team.sql} g where ${columnSql(id ?? "", "g")}::text = any(${listed})
      and ${columnSql(organization ?? "", "g")} = ${columnSql(table.columnOf("organizationId") ?? "")})`;
};

const bannedSql = (table: SourceTable, user: SourceTable | undefined): string => {
  const [banned, until] = [user?.columnOf("banned"), user?.columnOf("banExpires")];
  if (!user || banned === undefined) return "false";
  const isOver =
    until === undefined ? "false" : `coalesce(${columnSql(until, "o")} <= now(), false)`;
  const holds = `coalesce(${columnSql(banned, "o")}::text in ('1', 't', 'true'), false) and not ${isOver}`;
  return existsSql(table, "userId", user).replace(/\)$/, ` and ${holds})`);
};

/**
 * Users may have several second factors. Returns the condition for the one that ranks highest: confirmed ones before others, then by
 * id.
 */
const highestTwoFactor = (table: SourceTable): string => {
  const [id, userId] = ["id", "userId"].map((field) => table.columnOf(field) ?? field);
  const verified = table.columnOf("verified");
  const rank = (alias: string) => {
    const isVerified =
      verified === undefined
        ? "true"
        : `coalesce(${columnSql(verified, alias)}::text in ('1', 't', 'true'), true)`;
    return `(${isVerified}, ${columnSql(id ?? "", alias)})`;
  };
  const ofUser = columnSql(userId ?? "", "t");
  return `${ofUser} is not null and not exists (select from ${table.sql} higher
    where ${columnSql(userId ?? "", "higher")} = ${ofUser} and ${rank("higher")} > ${rank("t")})`;
};

const enabledSql = (table: SourceTable, user: SourceTable | undefined): string => {
  const enabled = user?.columnOf("twoFactorEnabled");
  if (!user || enabled === undefined) return "false";
  const isOn = `coalesce(${columnSql(enabled, "o")}::text in ('1', 't', 'true'), false)`;
  return existsSql(table, "userId", user).replace(/\)$/, ` and ${isOn})`);
};

/** Returns whether a newer passkey has the same credential id. Of two with the same time, the one with the higher id is newer. */
const hasNewerSql = (table: SourceTable): string => {
  const [id, credentialId] = ["id", "credentialID"].map((field) => table.columnOf(field) ?? field);
  const createdAt = table.columnOf("createdAt");
  const rank = (alias: string) => {
    const own = columnSql(id ?? "", alias);
    return createdAt === undefined
      ? own
      : `coalesce(${columnSql(createdAt, alias)}, '-infinity'), ${own}`;
  };
  return `exists (select from ${table.sql} newer
    where ${columnSql(credentialId ?? "", "newer")} = ${columnSql(credentialId ?? "")}
      and (${rank("newer")}) > (${rank("t")}))`;
};

const othersSql = (table: SourceTable): string => {
  const userId = table.columnOf("userId") ?? "userId";
  return `(select count(*) - 1 from ${table.sql} other
    where ${columnSql(userId, "other")} = ${columnSql(userId)})::double precision`;
};

/** The values that need more than one column, by model. */
const made: Readonly<
  Partial<Record<ImportedModelName, (reading: Reading) => Record<string, string>>>
> = {
  account: ({ tables, table }) => ({ hasUser: existsSql(table, "userId", tables.of("user")) }),
  session: ({ tables, table, timeZone }) => {
    const isThere = existsSql(table, "activeOrganizationId", tables.of("organization"));
    const active = fieldSql(table, "activeOrganizationId", { kind: "text", timeZone });
    const isTeamThere = existsSql(table, "activeTeamId", tables.of("team"));
    const team = fieldSql(table, "activeTeamId", { kind: "text", timeZone });
    return {
      hasUser: existsSql(table, "userId", tables.of("user")),
      isUserBanned: bannedSql(table, tables.of("user")),
      activeOrganizationId: `case when ${isThere} then ${active} end`,
      activeTeamId: `case when ${isThere} and ${isTeamThere} then ${team} end`,
    };
  },
  twoFactor: ({ tables, table }) => ({
    hasUser: existsSql(table, "userId", tables.of("user")),
    isEnabled: enabledSql(table, tables.of("user")),
    otherCount: othersSql(table),
  }),
  passkey: ({ tables, table }) => ({
    hasUser: existsSql(table, "userId", tables.of("user")),
    hasNewer: hasNewerSql(table),
  }),
  organizationRole: ({ tables, table }) => ({
    hasOrganization: existsSql(table, "organizationId", tables.of("organization")),
  }),
  teamMember: memberOfTeam,
  team: ({ tables, table }) => ({
    hasOrganization: existsSql(table, "organizationId", tables.of("organization")),
  }),
  member: (reading) => ({
    hasUser: existsSql(reading.table, "userId", reading.tables.of("user")),
    hasOrganization: existsSql(reading.table, "organizationId", reading.tables.of("organization")),
    ...madeRoles(reading),
  }),
  invitation: (reading) => ({
    hasInviter: existsSql(reading.table, "inviterId", reading.tables.of("user")),
    hasOrganization: existsSql(reading.table, "organizationId", reading.tables.of("organization")),
    ...madeRoles(reading),
    teamIds: invitationTeams(reading),
  }),
  apikey: ({ tables, table, timeZone }) => {
    const owner = table.columnOf("referenceId") === undefined ? "userId" : "referenceId";
    const [hasUser, hasOrganization] = [
      existsSql(table, owner, tables.of("user")),
      owner === "referenceId" ? existsSql(table, owner, tables.of("organization")) : "false",
    ];
    const id = fieldSql(table, owner, { kind: "text", timeZone });
    return {
      userId: `case when ${hasUser} or not ${hasOrganization} then ${id} end`,
      organizationId: `case when ${hasOrganization} then ${id} end`,
      hasUser,
      refillsByMilliseconds: String(owner === "referenceId"),
    };
  },
};

/** The SQL that reads a model. */
export interface ModelSql {
  table: SourceTable;
  /** SQL of the sort key of a row. */
  key: string;
  /** SQL by the name of a value. */
  values: Readonly<Record<string, string>>;
  /** SQL by the name of an additional field. */
  extra: Readonly<Record<string, string>>;
  /** The condition on rows. */
  where: string;
  /** Columns that are not read. */
  unread: readonly string[];
}

const extraOf = ({ table, timeZone, options }: Reading, model: ImportedModelName) => {
  const fields: Readonly<Record<string, object>> = additionalFieldsOf(options);
  const there = Object.keys(fields[model] ?? {}).filter((name) => table.columnOf(name));
  return Object.fromEntries(
    there.map((name) => [name, fieldSql(table, name, { kind: "any", timeZone })]),
  );
};

const tokenKey = (table: SourceTable) =>
  `encode(sha256(convert_to(${columnSql(table.columnOf("token") ?? "token")}, 'UTF8')), 'hex')`;

const keySql = (model: ImportedModelName, table: SourceTable): string => {
  if (model === "session") return tokenKey(table);
  const field = model === "twoFactor" ? "userId" : "id";
  return `${columnSql(table.columnOf(field) ?? field)}::text`;
};

const whereSql = (model: ImportedModelName, table: SourceTable, timeZone: string): string => {
  if (model === "twoFactor") return highestTwoFactor(table);
  if (model === "teamMember")
    return `${columnSql(table.columnOf("teamId") ?? "teamId")} is not null`;
  if (model !== "verification") return "true";
  const identifier = fieldSql(table, "identifier", { kind: "text", timeZone });
  return `${identifier} like 'reset-password:%' or ${identifier} like 'delete-account-%'`;
};

/** Returns the table of a model. The older schema has the team of a member in the member's row. */
const tableOf = (model: ImportedModelName, tables: SourceTables): SourceTable | undefined => {
  const table = tables.of(model);
  if (table || model !== "teamMember") return table;
  const member = tables.of("member");
  return member?.columnOf("teamId") === undefined ? undefined : member;
};

/** Returns the SQL that reads a model, or undefined if the other database does not have it. */
export const modelSql = (
  model: ImportedModelName,
  { tables, timeZone, options }: Omit<Reading, "table">,
): ModelSql | undefined => {
  const table = tableOf(model, tables);
  if (!table) return undefined;
  const reading = { tables, table, timeZone, options };
  const fields = fieldsOf(model);
  const plain = fields.map(([name, kind]) => [name, fieldSql(table, name, { kind, timeZone })]);
  const extra = extraOf(reading, model);
  const read = [
    ...fields.map(([name]) => name),
    ...Object.keys(extra),
    ...(readBesides[model] ?? []),
  ];
  const columns = new Set(read.map((name) => table.columnOf(name)));
  return {
    table,
    key: keySql(model, table),
    values: { ...Object.fromEntries(plain), ...made[model]?.(reading) },
    extra,
    where: whereSql(model, table, timeZone),
    // The row of a member is read as a whole for its own model.
    unread: tables.of(model)
      ? [...table.columns.keys()].filter((column) => !columns.has(column))
      : [],
  };
};
