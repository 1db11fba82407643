import { z } from "zod";

// The output of `npx latchkey export person`: all data about one person, without data of others and without credentials.

/** Version of the format below. It changes when a member is removed or changes its meaning. Members may be added without a new version. */
export const personExportFormat = 1;

const time = z.iso.datetime();
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable();

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

const session = z.object({
  id: z.string(),
  createdAt: time,
  updatedAt: time,
  expiresAt: time,
  /** If true, address and browser belong to the impersonating admin and are left out. */
  isImpersonated: z.boolean(),
  ipAddress: maybe(z.string()),
  userAgent: maybe(z.string()),
  activeOrganizationId: maybe(z.string()),
  /** Additional fields of the configuration. */
  extra: z.record(z.string(), z.unknown()),
});

const membership = z.object({
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
  /** Names of roles, separated by commas. */
  role: z.string(),
  team: maybe(z.object({ id: z.string(), name: z.string() })),
  createdAt: time,
});

const invitation = z.object({
  id: z.string(),
  organization: z.object({ id: z.string(), name: z.string() }),
  role: z.string(),
  status: z.string(),
  createdAt: time,
  expiresAt: time,
});

const apiKey = z.object({
  id: z.string(),
  name: maybe(z.string()),
  /** The first characters. */
  start: maybe(z.string()),
  prefix: maybe(z.string()),
  enabled: z.boolean(),
  disabledByAdmin: z.boolean(),
  remaining: maybe(z.number()),
  refillAmount: maybe(z.number()),
  /** Days. */
  refillInterval: maybe(z.number()),
  lastRefillAt: maybe(time),
  rateLimitEnabled: z.boolean(),
  rateLimitMax: maybe(z.number()),
  /** Milliseconds. */
  rateLimitTimeWindow: maybe(z.number()),
  requestCount: z.number(),
  lastRequest: maybe(time),
  permissions: maybe(z.record(z.string(), z.array(z.string()))),
  /** JSON, as the application stored it. */
  metadata: maybe(z.string()),
  expiresAt: maybe(time),
  createdAt: time,
  updatedAt: time,
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
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    image: maybe(z.string()),
    username: maybe(z.string()),
    displayUsername: maybe(z.string()),
    role: maybe(z.string()),
    banned: z.boolean(),
    banReason: maybe(z.string()),
    banExpires: maybe(time),
    createdAt: time,
    updatedAt: time,
    /** Additional fields of the configuration. */
    extra: z.record(z.string(), z.unknown()),
  }),
  accounts: z.array(account),
  sessions: z.array(session),
  memberships: z.array(membership),
  /** Sent to the address of the person. */
  invitationsReceived: z.array(invitation),
  /** Sent by the person, with the addresses that they entered. */
  invitationsSent: z.array(invitation.extend({ email: z.string() })),
  apiKeys: z.array(apiKey),
  apiKeyUsage: z.array(apiKeyUsage),
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
