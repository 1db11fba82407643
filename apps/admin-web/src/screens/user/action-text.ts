import { refusalTexts } from "../../components/users/sign-in-words.ts";
import { timesText } from "./sign-in-problem.ts";

/** One form, or that of users who act on themselves and that of everybody else. `{}` stands for the subject. */
type Phrase = string | readonly [own: string, others: string];

/** The words that follow the name of the actor. */
const phrases: Readonly<Record<string, Phrase>> = {
  "user.created": ["signed up", "created {}"],
  "user.updated": ["updated their profile", "updated the profile of {}"],
  "user.info-copied": ["updated their profile from a provider", "updated {} from a provider"],
  "user.role-changed": ["changed their roles", "changed the roles of {}"],
  "user.email-verified": ["verified their email", "verified the email of {}"],
  "user.email-replaced": ["changed their email", "changed the email of {}"],
  "user.email-set-back": ["undid a change of their email", "undid a change of the email of {}"],
  "user.claimed": ["claimed the account by its mailbox", "claimed {} by the mailbox"],
  "user.banned": "banned {}",
  "user.unbanned": "unbanned {}",
  "user.ban-expired": "ended the ban of {}, which had expired",
  "user.merged": "merged another user into {}",
  "user.merged-away": "merged {} into another user",
  "user.merge-undone": "undid a merge into {}",
  "user.secured": ["secured their account", "secured the account of {}"],
  "user.deleted": ["deleted their account", "deleted {}"],
  "user.exported": ["exported their data", "exported the data of {}"],
  "password.changed": ["changed their password", "changed the password of {}"],
  "password.set": ["set a password", "set the password of {}"],
  "password.reset": ["chose a new password by a link", "reset the password of {}"],
  "password-reset.requested": ["requested a password reset", "sent {} a password reset"],
  "user-invitation.requested": "invited {}",
  "user-invitation.accepted": "accepted the invitation",
  "session.created": "signed in",
  "session.impersonated": "started an impersonation",
  "session.impersonation-ended": "ended an impersonation",
  "session.handed-over": "signed in on another site",
  "session.signed-out": "signed out",
  "session.revoked": "ended a session",
  "session.replaced": "replaced a session",
  "session.revoked-all": ["ended all their sessions", "ended all sessions of {}"],
  "session.revoked-others": "ended all their other sessions",
  "session.listed": ["viewed their sessions", "viewed the sessions of {}"],
  "impersonation-link.created": "created a link to impersonate {}",
  "verification.requested": ["requested a verification email", "sent {} a verification email"],
  "email-change.requested": "requested a change of their email",
  "email-code.requested": "requested an email code",
  "sign-in-link.requested": "requested an email link to sign in",
  "account-deletion.requested": "requested the deletion of their account",
  "account.linked": "linked an account at a provider",
  "account.unlinked": ["unlinked an account at a provider", "unlinked an account of {}"],
  "two-factor.enabled": "turned their second factor on",
  "two-factor.disabled": "turned their second factor off",
  "two-factor.reset": "reset the second factor of {}",
  "backup-code.used": "used a backup code",
  "backup-codes.generated": "generated backup codes",
  "trusted-device.added": "trusted a device",
  "trusted-device.removed": "removed a trusted device",
  "passkey.added": "added a passkey",
  "passkey.renamed": "renamed a passkey",
  "passkey.removed": ["removed a passkey", "removed a passkey of {}"],
  "organization.created": "created {}",
  "organization.updated": "updated {}",
  "organization.deleted": "deleted {}",
  "member.added": "added a member",
  "member.removed": "removed a member",
  "member.role-changed": "changed the roles of a member",
  "invitation.created": "invited somebody",
  "invitation.accepted": "accepted an invitation",
  "invitation.canceled": "canceled an invitation",
  "api-key.created": "created {}",
  "api-key.updated": "updated {}",
  "api-key.rerolled": "re-rolled {}",
  "api-key.enabled": "enabled {}",
  "api-key.disabled": "disabled {}",
  "api-key.deleted": "deleted {}",
  "delivery.read": "read an email",
};

/** The members of an audit entry that its sentence needs. */
interface Event {
  readonly action: string;
  readonly actor: { readonly kind: string; readonly id: string | null };
  readonly subject: { readonly kind: string; readonly id: string };
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** A sentence without its actor and its subject, which a screen may link. */
export interface Sentence {
  /** Absent if the sentence needs no actor. */
  readonly hasActor: boolean;
  readonly text: string;
  /** The text after the subject. Absent if the sentence does not name the subject. */
  readonly rest?: string | undefined;
}

/** Describes an action without a phrase by the parts of its name. */
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

const isSame = ({ actor, subject }: Event): boolean =>
  subject.kind !== "user" || (actor.kind === "user" && actor.id === subject.id);

/** Says in a sentence what happened. */
export const sentenceOf = (event: Event): Sentence => {
  const { action } = event;
  if (action === "sign-in.refused") return { hasActor: false, text: refusalText(event) };
  const phrase = Object.hasOwn(phrases, action) ? phrases[action] : undefined;
  if (phrase === undefined) return { hasActor: false, text: wordsOf(action) };
  const form = typeof phrase === "string" ? phrase : phrase[isSame(event) ? 0 : 1];
  const [text = "", rest] = form.split("{}");
  return { hasActor: true, text, rest };
};

/** Names an actor whose own name is not known. */
export const actorName = (kind: string): string => {
  if (kind === "user") return "An admin";
  return kind === "anonymous" ? "Somebody" : "The system";
};

const nouns: Readonly<Record<string, string>> = {
  user: "another user",
  organization: "an organization",
  "api-key": "an API key",
};

/** Says in plain text what happened to or by a user. Names nobody else, because that would need another request. */
export const sentenceText = (event: Event, user: { id: string; name: string }): string => {
  const { hasActor, text, rest } = sentenceOf(event);
  if (!hasActor) return text;
  const { actor, subject } = event;
  const person = user.name || "The user";
  const by = actor.id === user.id ? person : actorName(actor.kind);
  if (rest === undefined) return `${by} ${text}`;
  const on = subject.id === user.id ? person : (nouns[subject.kind] ?? "something");
  return `${by} ${text}${on}${rest}`;
};
