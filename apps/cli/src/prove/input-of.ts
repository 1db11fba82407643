import type { Operation } from "@latchkey/contracts";
import { z } from "zod";
import type { Sent } from "./http/target-of.ts";

/** The ids of a tenant. */
export interface TenantIds {
  organizationId: string;
  slug: string;
  memberId: string;
  userId: string;
  invitationId: string;
  /** This and the next ones are undefined if the deployment does not offer them. */
  keyId: string | undefined;
  teamId: string | undefined;
  roleId: string | undefined;
  passkeyId: string | undefined;
  trustedDeviceId: string | undefined;
  webhookId: string | undefined;
  webhookDeliveryId: string | undefined;
  sessionToken: string;
}

/** The ids of nothing. */
export const noIds: TenantIds = {
  organizationId: "",
  slug: "",
  memberId: "",
  userId: "",
  invitationId: "",
  keyId: undefined,
  teamId: undefined,
  roleId: undefined,
  passkeyId: undefined,
  trustedDeviceId: undefined,
  webhookId: undefined,
  webhookDeliveryId: undefined,
  sessionToken: "",
};

/** The meaning of the bare name `id`, by the beginning of the path. */
const idsByPath: readonly (readonly [string, keyof TenantIds])[] = [
  ["/organization/get-invitation", "invitationId"],
  ["/api-key", "keyId"],
  ["/admin/api-keys", "keyId"],
  ["/admin/organizations", "organizationId"],
  ["/admin/users", "userId"],
  ["/admin/remove-user-passkey", "passkeyId"],
  ["/passkey", "passkeyId"],
  ["/admin/webhook-deliveries", "webhookDeliveryId"],
  ["/admin/webhooks", "webhookId"],
  ["/two-factor", "trustedDeviceId"],
];

const nobody = "nothing-of-that-name";

/** The ids by the name of their field. */
const named: Readonly<Record<string, keyof TenantIds>> = {
  organizationId: "organizationId",
  organizationSlug: "slug",
  slug: "slug",
  memberId: "memberId",
  memberIdOrEmail: "memberId",
  userId: "userId",
  mergedUserId: "userId",
  actorId: "userId",
  subjectId: "organizationId",
  invitationId: "invitationId",
  keyId: "keyId",
  teamId: "teamId",
  roleId: "roleId",
  sessionToken: "sessionToken",
  webhookId: "webhookId",
  endpointId: "webhookId",
  deliveryId: "webhookDeliveryId",
  eventId: "webhookDeliveryId",
  // The account id of a password account is the user's id.
  accountId: "userId",
  // No tenant has a client. Any id of another one does.
  clientId: "userId",
};

/** Valid values for fields that contain no id, so that nothing else is wrong with an input. */
const plain: Readonly<Record<string, unknown>> = {
  name: "Prove",
  email: "nobody@example.com",
  newEmail: "nobody@example.com",
  // Of the numbers that the regulator of Germany reserves for films.
  phoneNumber: "+491713920000",
  username: "nobody_of_prove",
  ipAddress: "192.0.2.1",
  password: "not the password of anybody",
  newPassword: "not the password of anybody",
  currentPassword: "not the password of anybody",
  role: "member",
  reason: "A run of prove",
  required: false,
  provider: "github",
  providerId: "github",
  permissions: { organization: ["update"] },
  permission: { organization: ["update"] },
  callbackURL: "/",
  authorizationURL: "https://nobody.example.com/",
  token: nobody,
  idToken: nobody,
  url: "/",
  field: "callbackURL",
  id: nobody,
  code: "000000",
  otp: "000000",
  type: "sign-in",
  response: {},
  // A PNG of one pixel.
  picture:
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  hash: "A".repeat(43),
  since: "2030-01-01T00:00:00.000Z",
  from: "2030-01-01T00:00:00.000Z",
  to: "2030-01-02T00:00:00.000Z",
  client_id: nobody,
  oauth_query: nobody,
  userCode: nobody,
  user_code: nobody,
  accept: false,
  update: { scopes: [] },
};

export interface InputOptions {
  ids: TenantIds;
  /** Overrides the values of fields. */
  own?: Readonly<Record<string, unknown>>;
}

/** Optional fields that their operation nevertheless requires, alone or in place of another. */
const needed = new Set([
  "adminHasPermission.permissions",
  "hasOrganizationPermission.permissions",
  "unlinkAccount.providerId",
  "getAccessToken.providerId",
  "refreshToken.providerId",
]);

const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;

const bare = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bare(schema.unwrap())
    : schema;

/** Fills the fields of an operation's path, query or body. Of optional fields only those with ids are filled. */
const fill = (
  operation: Operation,
  schema: z.ZodObject | undefined,
  { ids, own = {} }: InputOptions,
): Record<string, unknown> => {
  const values: Record<string, unknown> = {};
  const { name: operationName, path } = operation;
  const ofPath = idsByPath.find(([begin]) => path.startsWith(begin))?.[1];
  for (const [name, member] of Object.entries(schema?.shape ?? {}) as [string, z.ZodType][]) {
    const id = name === "id" ? ofPath : named[name];
    const part = bare(member);
    if (part instanceof z.ZodNever) continue; // always rejected
    // Without an id for an optional field, the field is omitted, because an operation may ignore it.
    const idValue = id && (ids[id] ?? (isRequired(member) ? nobody : undefined));
    if (Object.hasOwn(own, name)) values[name] = own[name];
    else if (idValue !== undefined) values[name] = idValue;
    else if (name === "data" && part instanceof z.ZodObject)
      values[name] = fill(operation, part, { ids, own });
    else if (isRequired(member) || needed.has(`${operationName}.${name}`))
      values[name] = plain[name];
  }
  return values;
};

/** Returns an input that the operation's contract accepts, with the tenant's ids in every place that takes one. */
export const inputOf = (operation: Operation, options: InputOptions): Sent => ({
  ...(operation.params && { params: fill(operation, operation.params, options) }),
  ...(operation.query && { query: fill(operation, operation.query, options) }),
  ...(operation.body && { body: fill(operation, operation.body, options) }),
});
