import { z } from "zod";
import { fullUserSchema, sessionSchema } from "./objects.ts";
import type { Wire } from "./operation.ts";
import { apiKeySchema, keySecondFactor } from "./operations/apikey/objects.ts";
import { timestamp } from "./plain-text.ts";

// The output of `npx latchkey export person`: all data about one person, without data of others and without credentials.

/** Version of the format below. It changes when a member is removed or changes its meaning. Members may be added without a new version. */
export const personExportFormat = 1;

const time = z.iso.datetime();
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable();

/** Additional fields of the configuration. */
const extra = z.record(z.string(), z.unknown());

type StoredShape<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: z.ZodType<Wire<Exclude<z.output<Shape[Name]>, undefined>>>;
};

const storedMember = (schema: z.core.$ZodType): z.core.$ZodType => {
  if (schema === timestamp) return time;
  if (schema instanceof z.ZodOptional) return storedMember(schema.unwrap());
  return schema instanceof z.ZodNullable ? z.nullable(storedMember(schema.unwrap())) : schema;
};

/** Returns the members of a schema as they are exported: all are present, and times are text. */
const stored = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, schema]) => [name, storedMember(schema)]),
    ) as unknown as StoredShape<Shape>, // `storedMember` returns these
  );

const account = z.object({
  id: z.string(),
  /** `credential` is the account with a password. */
  providerId: z.string(),
  accountId: z.string(),
  /** Separated by commas, as the provider granted them. */
  scope: maybe(z.string()),
  hasPassword: z.boolean(),
  accessTokenExpiresAt: maybe(time),
  refreshTokenExpiresAt: maybe(time),
  createdAt: time,
  updatedAt: time,
});

const session = stored(
  sessionSchema.omit({ token: true, userId: true, impersonatedBy: true }),
).extend({
  /** If true, address and browser belong to the impersonating admin and are left out. */
  isImpersonated: z.boolean(),
  ipAddress: maybe(z.string()),
  userAgent: maybe(z.string()),
  extra,
});

const picture = z.object({
  contentType: z.string(),
  base64: z.string(),
});

const passkey = z.object({
  id: z.string(),
  name: maybe(z.string()),
  /** `multiDevice` is synced among devices. */
  deviceType: z.string(),
  backedUp: z.boolean(),
  createdAt: time,
  lastUsedAt: maybe(time),
});

const secondFactor = z.object({
  /** Whether an authenticator app is confirmed. */
  hasApp: z.boolean(),
  backupCodesLeft: z.number(),
  enabledAt: maybe(time),
  /** After wrong codes. */
  lockedUntil: maybe(time),
});

const trustedDevice = z.object({
  id: z.string(),
  ipAddress: z.string(),
  userAgent: z.string(),
  createdAt: time,
  lastUsedAt: time,
  expiresAt: time,
});

const knownBrowser = z.object({ createdAt: time, lastSeenAt: time });

const refusedSignIn = z.object({
  day: z.iso.date(),
  /** Empty for the addresses that were not told apart. */
  ipAddress: z.string(),
  reason: z.string(),
  count: z.number(),
  firstAt: time,
  lastAt: time,
});

const lastSignIn = z.object({
  signedInAt: time,
  /** Separated by commas. */
  methods: z.string(),
  ipAddress: z.string(),
  userAgent: z.string(),
});

const membership = z.object({
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
  /** Names of roles, separated by commas. */
  role: z.string(),
  /** The first team of the member. */
  team: maybe(z.object({ id: z.string(), name: z.string() })),
  /** All teams of the member, in the order of joining. */
  teams: z.array(z.object({ id: z.string(), name: z.string() })),
  extra,
  createdAt: time,
});

const invitation = z.object({
  id: z.string(),
  organization: z.object({ id: z.string(), name: z.string() }),
  role: z.string(),
  status: z.string(),
  extra,
  createdAt: time,
  expiresAt: time,
});

const apiKey = stored(apiKeySchema.omit({ userId: true, organizationId: true })).extend({
  disabledByAdmin: z.boolean(),
  /** The second factor that its creator had shown. */
  secondFactor: keySecondFactor,
  successorId: maybe(z.string()),
  /** JSON, as the application stored it. */
  metadata: maybe(z.string()),
});

const apiKeyUsage = z.object({
  /** Includes deleted keys. */
  keyId: z.string(),
  day: z.iso.date(),
  valid: z.number(),
  rateLimited: z.number(),
  exhausted: z.number(),
  expired: z.number(),
  disabled: z.number(),
  forbidden: z.number(),
});

/** The rest of such a key belongs to its organization. */
const organizationApiKey = z.object({
  id: z.string(),
  organizationId: z.string(),
  createdAt: time,
});

const mail = z.object({
  id: z.string(),
  /** The event that caused the mail. Null for mails of earlier versions. */
  event: maybe(z.string()),
  recipient: z.string(),
  subject: z.string(),
  state: z.string(),
  attempts: z.number(),
  createdAt: time,
  settledAt: maybe(time),
});

const auditEntry = z.object({
  service: z.string(),
  id: z.number(),
  occurredAt: time,
  action: z.string(),
  outcome: z.string(),
  /** Whether the person was the actor. */
  byPerson: z.boolean(),
  actor: z.object({
    kind: z.string(),
    /** Set for services and for the person. Other users are not named. */
    id: maybe(z.string()),
  }),
  subject: z.object({ kind: z.string(), id: maybe(z.string()) }),
  /** The address of the person. Null if someone else acted. */
  address: maybe(z.string()),
  requestId: maybe(z.string()),
  /** The person before and after. Null if the subject is not the person. */
  before: maybe(z.record(z.string(), z.unknown())),
  after: maybe(z.record(z.string(), z.unknown())),
});

/** All stored data about one person. */
export const personExport = z.object({
  kind: z.literal("person"),
  format: z.literal(personExportFormat),
  exportedAt: time,
  user: stored(fullUserSchema).extend({ extra }),
  /** At most one: the uploaded picture. */
  pictures: z.array(picture),
  accounts: z.array(account),
  sessions: z.array(session),
  passkeys: z.array(passkey),
  /** At most one. `user.twoFactorEnabled` tells whether it is asked for. */
  secondFactors: z.array(secondFactor),
  /** Browsers that are not asked for the second factor. */
  trustedDevices: z.array(trustedDevice),
  /** Browsers in which the person has signed in, with `session.mailNewBrowsers`. */
  knownBrowsers: z.array(knownBrowser),
  /** By day, address and reason. */
  refusedSignIns: z.array(refusedSignIn),
  /** At most one. */
  lastSignIns: z.array(lastSignIn),
  memberships: z.array(membership),
  /** Sent to the address of the person. */
  invitationsReceived: z.array(invitation),
  /** Sent by the person, with the addresses that they entered. */
  invitationsSent: z.array(invitation.extend({ email: z.string() })),
  apiKeys: z.array(apiKey),
  apiKeyUsage: z.array(apiKeyUsage),
  /** Keys of organizations that the person created or re-rolled. */
  organizationApiKeys: z.array(organizationApiKey),
  /** Sent to the current address of the person. */
  mails: z.array(mail),
  /** Entries by and about the person in all services, in order per service. */
  audit: z.array(auditEntry),
});

export type PersonExport = z.infer<typeof personExport>;

/** The parts of a person's export that are lists. */
export type PersonSection = {
  [Name in keyof PersonExport]: PersonExport[Name] extends readonly unknown[] ? Name : never;
}[keyof PersonExport];

/** Receives one item for a part of a person's export. Times may be `Date` objects. */
export type TakePersonItem = <Section extends PersonSection>(
  section: Section,
  item: Dated<PersonExport[Section][number]>,
) => Promise<void>;

type Dated<T> = { [Name in keyof T]: T[Name] | Date };
