import type { FactName } from "@latchkey/contracts";
import { refusalTexts, timesText } from "../users/sign-in-words.ts";

/**
 * One form, or that of acts on oneself and on what is no user, and that of acts on another user. `{}` stands for the subject. A session needs
 * no name.
 */
type Phrase = string | readonly [own: string, others: string];

/** The words that follow the name of the actor. A fact without words does not compile. */
const phrases: Readonly<Record<FactName, Phrase>> = {
  "user.created": ["signed up", "created {}"],
  "user.updated": ["updated their profile", "updated the profile of {}"],
  "user.info-copied": [
    "updated their profile from a provider",
    "updated the profile of {} from a provider",
  ],
  "user.role-changed": ["changed their roles", "changed the roles of {}"],
  "user.taken-over": ["took over the account by its email", "took over the account of {}"],
  "user.email-verified": ["verified their email", "verified the email of {}"],
  "user.email-replaced": ["changed their email", "changed the email of {}"],
  "user.overridden-by-provider": [
    "got the profile of a provider",
    "replaced the profile of {} by that of a provider",
  ],
  "user.email-set-back": ["undid a change of their email", "undid a change of the email of {}"],
  "user.claimed": ["claimed the account by its mailbox", "claimed {} by the mailbox"],
  "user.accounts-dropped": [
    "unlinked the former accounts at providers",
    "unlinked the former accounts of {}",
  ],
  "user.identified": "signed up after a visit as a guest",
  "user.guest-linked": "signed in after a visit as a guest",
  "user.banned": "banned {}",
  "user.unbanned": "unbanned {}",
  "user.ban-expired": "ended the ban of {}, which had expired",
  "user.secured": ["secured their account", "secured the account of {}"],
  "user.merged": "merged another user into {}",
  "user.merged-away": "merged {} into another user",
  "user.merge-undone": "undid a merge into {}",
  "user.deleted": ["deleted their account", "deleted {}"],
  "user.exported": ["exported their data", "exported the data of {}"],
  "password.changed": ["changed their password", "changed the password of {}"],
  "password.set": ["set a password", "set the password of {}"],
  "password.reset": ["chose a new password by a link", "reset the password of {}"],
  "password.compromised": [
    "signed in with a password known from leaks",
    "found the password of {} in leaks",
  ],
  "password.tries-used-up": [
    "entered a wrong password too often",
    "entered a wrong password of {} too often",
  ],
  "password-reset.requested": ["requested a password reset", "requested a password reset for {}"],
  "password-reset.refused": ["was refused a password reset", "was refused a password reset for {}"],
  "user-invitation.requested": ["invited somebody", "invited {}"],
  "user-invitation.refused": ["was refused an invitation", "was refused an invitation of {}"],
  "user-invitation.accepted": ["accepted the invitation", "accepted the invitation of {}"],
  "session.created": "signed in",
  "session.impersonated": ["started an impersonation", "started an impersonation of {}"],
  "session.impersonation-ended": ["ended an impersonation", "ended the impersonation of {}"],
  "session.handed-over": "signed in on another site",
  "session.signed-out": "signed out",
  "session.revoked": ["ended a session", "ended a session of {}"],
  "session.replaced": ["replaced a session", "replaced a session of {}"],
  "session.revoked-all": ["ended all their sessions", "ended all sessions of {}"],
  "session.revoked-others": ["ended all their other sessions", "ended the other sessions of {}"],
  "session.listed": ["viewed their sessions", "viewed the sessions of {}"],
  "impersonation-link.created": "created a link to impersonate {}",
  "verification.requested": [
    "requested a verification email",
    "requested a verification email for {}",
  ],
  "verification.refused": [
    "was refused a verification email",
    "was refused a verification email for {}",
  ],
  "email-change.requested": [
    "requested a change of their email",
    "requested a change of the email of {}",
  ],
  "email-code.created": ["created an email code", "created an email code for {}"],
  "email-code.requested": ["requested an email code", "requested an email code for {}"],
  "email-code.refused": ["was refused an email code", "was refused an email code for {}"],
  "sign-in-link.requested": [
    "requested an email link to sign in",
    "requested an email link for {} to sign in",
  ],
  "sign-in-link.refused": [
    "was refused an email link to sign in",
    "was refused an email link for {} to sign in",
  ],
  "account-deletion.requested": [
    "requested the deletion of their account",
    "requested the deletion of {}",
  ],
  "account.linked": ["linked an account at a provider", "linked an account to {}"],
  "account.unlinked": ["unlinked an account at a provider", "unlinked an account of {}"],
  "two-factor.enabled": ["turned their second factor on", "turned on the second factor of {}"],
  "two-factor.disabled": ["turned their second factor off", "turned off the second factor of {}"],
  "two-factor.reset": ["reset their second factor", "reset the second factor of {}"],
  "two-factor.locked": [
    "entered a wrong second factor too often",
    "entered a wrong second factor of {} too often",
  ],
  "two-factor-code.requested": [
    "requested an email code as second factor",
    "requested an email code as second factor of {}",
  ],
  "backup-code.used": ["used a backup code", "used a backup code of {}"],
  "backup-codes.generated": ["generated backup codes", "generated backup codes for {}"],
  "trusted-device.added": ["trusted a device", "trusted a device of {}"],
  "trusted-device.removed": ["removed a trusted device", "removed a trusted device of {}"],
  "passkey.added": ["added a passkey", "added a passkey of {}"],
  "passkey.renamed": ["renamed a passkey", "renamed a passkey of {}"],
  "passkey.removed": ["removed a passkey", "removed a passkey of {}"],
  "passkey.refused": [
    "used a passkey that may be a copy",
    "used a passkey of {} that may be a copy",
  ],
  "organization.created": "created {}",
  "organization.updated": "updated {}",
  "organization.two-factor-policy-changed": "changed the second factor policy of {}",
  "organization.deleted": "deleted {}",
  "member.added": "added a member to {}",
  "member.role-changed": "changed the roles of a member of {}",
  "member.team-changed": "changed the team of a member of {}",
  "member.removed": "removed a member from {}",
  "invitation.created": "invited somebody to {}",
  "invitation.resent": "resent an invitation to {}",
  "invitation.accepted": "accepted an invitation to {}",
  "invitation.rejected": "declined an invitation to {}",
  "invitation.canceled": "canceled an invitation to {}",
  "invitation.deleted": "deleted an invitation to {}",
  "team.created": "created a team of {}",
  "team.updated": "updated a team of {}",
  "team.removed": "deleted a team of {}",
  "api-key.created": "created {}",
  "api-key.updated": "updated {}",
  "api-key.rerolled": "re-rolled {}",
  "api-key.enabled": "enabled {}",
  "api-key.disabled": "disabled {}",
  "api-key.deleted": "deleted {}",
  "api-key.expired": "deleted {}, which had expired",
  "api-key.exhausted": "deleted {}, whose uses had run out",
  "delivery.queued": "queued an email",
  "delivery.read": "read an email",
  "delivery.retried": "retried an email",
  "delivery.deleted": ["deleted their emails", "deleted the emails of {}"],
  "webhook.created": "created {}",
  "webhook.updated": "updated {}",
  "webhook.paused": "paused {}",
  "webhook.resumed": "resumed {}",
  "webhook.disabled": "disabled {}",
  "webhook.deleted": "deleted {}",
  "webhook.secret-rotated": "rotated the secret of {}",
  "webhook.tested": "sent a test event to {}",
  "webhook.replayed": "replayed events to {}",
  "webhook.failed-retried": "retried failed deliveries to {}",
  "webhook-delivery.retried": "retried {}",
  "webhook-event.replayed": "replayed {}",
  "audit.pruned": "deleted old entries of the audit log",
  "database.taken-over": "took over the data of another database",
  "installation.exported": "exported the installation",
  "installation.imported": "imported an installation",
  "queue.retry-requested": "requested to retry a message of {}",
  "queue.retried": "retried a message of {}",
  "queue.discard-requested": "requested to discard a message of {}",
  "queue.discarded": "discarded a message of {}",
  "rate-limit.reset": "unblocked {}",
  "signing-key.created": "created {}",
};

interface Party {
  readonly kind: string;
  readonly id: string | null;
}

/** The members of an audit entry that its sentence needs. */
interface Event {
  readonly action: string;
  readonly actor: Party;
  readonly subject: Party;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** A sentence without its actor and its subject, which a screen may link. */
export interface Sentence {
  /** False if the sentence needs no actor. */
  readonly hasActor: boolean;
  readonly text: string;
  /** The text after the subject. Absent if the sentence does not name the subject. */
  readonly rest?: string | undefined;
}

/** Describes an action that only another version knows by the parts of its name. */
const wordsOf = (action: string): string => {
  const words = action.replaceAll(/[.-]+/g, " ").trim();
  return words ? words[0]?.toUpperCase() + words.slice(1) : "–";
};

const refusalText = ({ after }: Event): string => {
  const { reason, count } = after ?? {};
  const text = Object.entries(refusalTexts).find(([name]) => name === reason)?.[1];
  const times = typeof count === "number" ? `, ${timesText(count)}` : "";
  return `Sign-in refused${text ? `: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : ""}${times}`;
};

const isOwn = ({ actor, subject }: Event): boolean =>
  subject.kind !== "user" || (actor.kind === "user" && actor.id === subject.id);

/** Says in a sentence what happened. */
export const sentenceOf = (event: Event): Sentence => {
  const { action } = event;
  if (action === "sign-in.refused") return { hasActor: false, text: refusalText(event) };
  if (!Object.hasOwn(phrases, action)) return { hasActor: false, text: wordsOf(action) };
  const phrase = phrases[action as FactName];
  const form = typeof phrase === "string" ? phrase : phrase[isOwn(event) ? 0 : 1];
  const [text = "", rest] = form.split("{}");
  return { hasActor: true, text, rest };
};

/** The names of actors and subjects without a name of their own. */
const partyNames: Readonly<Record<string, string>> = {
  user: "User",
  service: "Service",
  system: "System",
  anonymous: "Not signed in",
  address: "Email address",
  audit: "Audit log",
  organization: "Organization",
  "api-key": "API key",
  webhook: "Webhook",
  "webhook-delivery": "Webhook delivery",
  "webhook-event": "Event",
  session: "Session",
  delivery: "Email",
  queue: "Queue",
  "signing-key": "Signing key",
  "ip-address": "IP address",
  installation: "Installation",
};

/** Names the kind of an actor or a subject. */
export const partyName = (kind: string): string =>
  Object.hasOwn(partyNames, kind) ? (partyNames[kind] ?? kind) : kind;

/** Names a kind in a sentence: "an API key", "a signing key". */
export const withArticle = (kind: string): string => {
  const name = partyName(kind);
  const isAcronym = /^[A-Z]{2}/.test(name);
  const noun = isAcronym ? name : `${name[0]?.toLowerCase() ?? ""}${name.slice(1)}`;
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
};

/** Names an actor whose own name is not known, at the beginning of a sentence. */
export const actorName = ({ kind, id }: Party): string => {
  if (kind === "user") return "An admin";
  if (kind === "service" && id !== null) return `The service ${id}`;
  return kind === "anonymous" ? "Somebody" : "The system";
};

/** Says in plain text what happened to or by a user. Names nobody else, because that would need another request. */
export const sentenceText = (event: Event, user: { id: string; name: string }): string => {
  const { hasActor, text, rest } = sentenceOf(event);
  if (!hasActor) return text;
  const { actor, subject } = event;
  const person = user.name || "The user";
  const by = actor.id === user.id ? person : actorName(actor);
  if (rest === undefined) return `${by} ${text}`;
  const other = subject.kind === "user" ? "another user" : withArticle(subject.kind);
  return `${by} ${text}${subject.id === user.id ? person : other}${rest}`;
};
