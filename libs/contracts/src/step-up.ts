import { mayActOn, type Permissions, readRoleNames } from "./access-control.ts";
import type { Options } from "./options.ts";

/** The validated body of a request. */
type Body = Readonly<Record<string, unknown>>;

/** The options on which some decisions depend. */
export type StepUpRules = Pick<Options, "admin" | "organization">;

/**
 * The decision whether an operation requires a strong session, and the reason. A session is strong if its user has authenticated within
 * `session.freshAge`, by the second factor too if it is on. Extending a session does not make it strong. Power decides: an operation
 * requires at least what every other way to the same effect requires.
 */
export type StepUp = { readonly asks: "never"; readonly because: string } | AskingStepUp;

/** A decision by which some or all requests require a strong session. */
export interface AskingStepUp {
  /** `withSecondFactor` requires it only of users whose second factor is on. */
  readonly asks: "always" | "withSecondFactor";
  readonly because: string;
  /**
   * Whether a request requires it. `target`: the handler decides, because the stored object or the provider does. Absent: every request
   * does.
   */
  readonly when?: ((body: Body, rules: StepUpRules) => boolean) | "target";
  /**
   * Serves impersonations and sessions of API keys, which cannot become strong. Only for an operation that gives nobody lasting access.
   * Without it they are refused.
   */
  readonly admitsBorrowed?: true;
}

const rolesIn = (given: unknown): string[] =>
  typeof given === "string" || (Array.isArray(given) && given.length > 0)
    ? readRoleNames(given, () => true).split(",")
    : [];

const asBody = (value: unknown): Body =>
  typeof value === "object" && value !== null ? { ...value } : {};

/** Whether a new user gets a role with a permission that the default role lacks. */
const givesUserRole = ({ role, data }: Body, { admin }: StepUpRules): boolean =>
  [...rolesIn(role), ...rolesIn(asBody(data)["role"])].some(
    (name) =>
      !mayActOn({ ...admin, adminUserIds: [] }, { role: admin.defaultRole }, { role: name }),
  );

/** Whether a new user gets permissions, or an address that counts as proven, to which invitations and links may wait. */
const givesAccess = (body: Body, rules: StepUpRules): boolean =>
  givesUserRole(body, rules) || Boolean(asBody(body["data"])["emailVerified"]);

const guardedMembers = [
  "role",
  "email",
  "emailVerified",
  "phoneNumber",
  "banned",
  "banReason",
  "banExpires",
];

const changesAccess = ({ data }: Body): boolean =>
  guardedMembers.some((name) => Object.hasOwn(asBody(data), name));

/** The resources of an organization whose changes require a strong session. */
const powers = ["organization", "member", "apiKey", "webhook"];

const hasPower = (granted: Permissions): boolean =>
  powers.some(
    (resource) =>
      Object.hasOwn(granted, resource) && granted[resource]?.some((action) => action !== "read"),
  );

/** Whether a member gets the creator's role, or one that manages members, keys, webhooks or the organization. */
const givesMemberRole = ({ role }: Body, { organization }: StepUpRules): boolean => {
  const { creatorRole, roles, dynamicAccessControl } = organization;
  return rolesIn(role).some((name) => {
    if (name === creatorRole) return true;
    const granted = Object.hasOwn(roles, name) ? roles[name] : undefined;
    // A role that the organization made is unknown here, and may have any power.
    return granted ? hasPower(granted) : dynamicAccessControl.enabled;
  });
};

const asPermissions = (given: unknown): Permissions =>
  Object.fromEntries(
    Object.entries(asBody(given)).filter((one): one is [string, string[]] => Array.isArray(one[1])),
  );

/** Whether a role of an organization gets a permission that manages members, keys, webhooks or the organization. */
const givesRolePower = ({ permission, data }: Body): boolean =>
  hasPower(asPermissions(permission ?? asBody(data)["permission"]));

const never = (because: string) => ({ asks: "never", because }) as const;
const always = (because: string) => ({ asks: "always", because }) as const;
const withSecondFactor = (because: string) => ({ asks: "withSecondFactor", because }) as const;

/** The decisions of all operations. An operation that needs another one adds it here, with its reason. */
export const stepUps = {
  noSession: never("It works without a session."),
  services: never("Only services call it."),
  reads: never("It only reads."),
  takesAway: never("It only ends access or removes an object."),
  ordinary: never("It gives nobody access that lasts."),
  asksPassword: never("It asks for the password."),
  provesFactor: never("Its input is the proof."),
  madeStrong: never("Its link was made in a strong session, which it is bound to."),
  sameSession: never("It gives the same session."),

  /** A user's access. */
  impersonates: always("It acts as another user."),
  wayIn: always("It changes how a user signs in."),
  removesPhone: {
    ...always("Removing the phone number takes a way to sign in."),
    when: (body: Body) => Object.hasOwn(body, "phoneNumber"),
  },
  takesPhone: {
    ...always("The number signs in from then on."),
    when: "target",
  },
  ownFactor: withSecondFactor("It changes or shows the user's own second factor."),
  ownWayIn: withSecondFactor("It changes how the user signs in."),
  linksAccount: always("The linked account signs in from then on."),
  accessToken: {
    ...always("Some providers sign in here by their access tokens."),
    when: "target",
  },
  deletesUser: withSecondFactor("It deletes the user."),
  userRole: always("It gives or takes permissions in the installation."),
  newUser: {
    ...always(
      "A role above the default gives permissions in the installation, and a verified address what was offered to it.",
    ),
    when: givesAccess,
  },
  userChange: {
    ...always("A change of role, address or ban gives or takes access."),
    when: changesAccess,
  },
  ban: { ...always("It takes a user's access."), admitsBorrowed: true },
  unban: always("It gives a user's access back."),
  removesUser: { ...always("It deletes a user."), admitsBorrowed: true },
  mailsPasswordLink: {
    ...always("Its mail contains a link that sets a password."),
    admitsBorrowed: true,
  },
  readsLink: always("The mail may contain a link that signs in."),
  keyOfOther: always("A key may act as its owner."),
  firstFactor: {
    ...always(
      "A second factor is turned on only by its user, and replaced only with the present one.",
    ),
    when: "target",
  },

  /** The installation. */
  signingKeys: { ...always("It changes which tokens applications accept."), admitsBorrowed: true },
  limits: { ...always("It lifts the limits on guesses."), admitsBorrowed: true },

  device: withSecondFactor("A device gets access that lasts."),
  oauthClient: always(
    "A client may ask users for their data, and its secret lets it act for them.",
  ),

  /** An organization. */
  memberRole: { ...always("A role may manage the organization."), when: givesMemberRole },
  rolePermission: {
    ...always("Members with the role may then manage the organization."),
    when: givesRolePower,
  },
  ownership: always("An owner may do everything in the organization."),
  policy: always("It decides whether members need a second factor."),
  deletesOrganization: {
    ...always("It deletes an organization with everything in it."),
    admitsBorrowed: true,
  },
  keyOfOrganization: {
    ...always("A key of an organization, or one that stands for a session, outlasts the session."),
    when: "target",
  },

  /** Webhooks. */
  webhook: always("A webhook sends events to another server, and its secret signs them."),
  webhookChange: {
    ...always("A webhook sends events to another server."),
    when: (body: Body) =>
      Object.keys(body).some((name) => !["webhookId", "organizationId", "state"].includes(name)),
  },
} as const satisfies Record<string, StepUp>;

/** Returns whether a request requires a strong session, as far as its input decides. */
export const requiresStrong = (
  stepUp: StepUp,
  { body, hasSecondFactor }: { body: object | undefined; hasSecondFactor: boolean },
  rules: StepUpRules,
): boolean => {
  if (stepUp.asks === "never" || stepUp.when === "target") return false;
  if (stepUp.asks === "withSecondFactor" && !hasSecondFactor) return false;
  return stepUp.when?.({ ...body }, rules) ?? true;
};

/**
 * Returns whether an operation refuses impersonations and sessions of API keys where it requires a strong session. Neither can become
 * strong.
 */
export const refusesBorrowed = (stepUp: StepUp): boolean =>
  stepUp.asks !== "never" && !stepUp.admitsBorrowed;
