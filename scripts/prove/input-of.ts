import type { Operation } from "@latchkey/contracts";
import { z } from "zod";
import type { Sent } from "./http/target-of.ts";

/** All that can be named of a tenant. */
export interface TenantIds {
  organizationId: string;
  slug: string;
  memberId: string;
  userId: string;
  invitationId: string;
  /** Neither of these two where the deployment offers none. */
  keyId: string | undefined;
  teamId: string | undefined;
  sessionToken: string;
}

/** What the bare name `id` is the id of, by the beginning of the path. */
const idsByPath: readonly (readonly [string, keyof TenantIds])[] = [
  ["/organization/get-invitation", "invitationId"],
  ["/api-key", "keyId"],
  ["/admin/api-keys", "keyId"],
  ["/admin/organizations", "organizationId"],
  ["/admin/users", "userId"],
];

const nobody = "nothing-of-that-name";

/** Ids by the name of their field. */
const named: Readonly<Record<string, keyof TenantIds>> = {
  organizationId: "organizationId",
  organizationSlug: "slug",
  slug: "slug",
  memberId: "memberId",
  memberIdOrEmail: "memberId",
  userId: "userId",
  actorId: "userId",
  subjectId: "organizationId",
  invitationId: "invitationId",
  keyId: "keyId",
  teamId: "teamId",
  sessionToken: "sessionToken",
  // Of an account that has a password it is the user's own.
  accountId: "userId",
};

/** What stands in fields that name nothing of anybody, so that nothing else is wrong with an input. */
const plain: Readonly<Record<string, unknown>> = {
  name: "Prove",
  email: "nobody@example.com",
  newEmail: "nobody@example.com",
  username: "nobody_of_prove",
  password: "not the password of anybody",
  newPassword: "not the password of anybody",
  currentPassword: "not the password of anybody",
  role: "member",
  provider: "github",
  providerId: "github",
  permissions: { organization: ["update"] },
  callbackURL: "/",
  token: nobody,
  url: "/",
  field: "callbackURL",
  id: nobody,
};

export interface InputOptions {
  ids: TenantIds;
  /** Over what is said of a field by itself. */
  own?: Readonly<Record<string, unknown>>;
}

/** Optional ones that their operation does not do without. */
const needed = new Set(["adminHasPermission.permissions", "hasOrganizationPermission.permissions"]);

const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;

const bare = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bare(schema.unwrap())
    : schema;

/** Fields of an operation's path, query or body; of optional ones those that name something. */
const fill = (
  operation: Operation,
  schema: z.ZodObject | undefined,
  { ids, own = {} }: InputOptions,
): Record<string, unknown> => {
  const values: Record<string, unknown> = {};
  const { name: asked, path } = operation;
  const ofPath = idsByPath.find(([begin]) => path.startsWith(begin))?.[1];
  for (const [name, member] of Object.entries(schema?.shape ?? {}) as [string, z.ZodType][]) {
    const id = name === "id" ? ofPath : named[name];
    const part = bare(member);
    // Where there is nothing to be named, and it need not be, an operation may pass it over.
    const found = id && (ids[id] ?? (isRequired(member) ? nobody : undefined));
    if (Object.hasOwn(own, name)) values[name] = own[name];
    else if (found !== undefined) values[name] = found;
    else if (name === "data" && part instanceof z.ZodObject)
      values[name] = fill(operation, part, { ids, own });
    else if (isRequired(member) || needed.has(`${asked}.${name}`)) values[name] = plain[name];
  }
  return values;
};

/** An input that an operation's contract takes, with what is a tenant's wherever something is named. */
export const inputOf = (operation: Operation, options: InputOptions): Sent => ({
  ...(operation.params && { params: fill(operation, operation.params, options) }),
  ...(operation.query && { query: fill(operation, operation.query, options) }),
  ...(operation.body && { body: fill(operation, operation.body, options) }),
});
