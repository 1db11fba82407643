const texts: Readonly<Record<string, string>> = {
  "user.created": "Signed up",
  "user.email-verified": "Email verified",
  "user.email-replaced": "Email changed",
  "user.banned": "Banned",
  "user.unbanned": "Unbanned",
  "user.ban-expired": "Ban ended",
  "user.role-changed": "Roles changed",
  "user.updated": "Profile updated",
  "user.deleted": "Deleted",
  "user.secured": "Account secured",
  "sign-in.refused": "Sign-in refused",
  "session.created": "Signed in",
  "session.signed-out": "Signed out",
  "session.handed-over": "Signed in on another site",
  "session.revoked": "Session ended",
  "session.revoked-all": "All sessions ended",
  "session.listed": "Sessions viewed by an admin",
  "impersonation-link.created": "Impersonation link created",
  "session.impersonated": "Impersonated",
  "session.impersonation-ended": "Impersonation ended",
  "password.changed": "Password changed",
  "password.set": "Password set",
  "password.reset": "Password reset",
  "user-invitation.requested": "Invitation sent",
  "user-invitation.accepted": "Invitation accepted",
  "account.linked": "Account linked",
  "account.unlinked": "Account unlinked",
  "verification.requested": "Verification requested",
  "email-change.requested": "Email change requested",
  "account-deletion.requested": "Deletion requested",
  "api-key.created": "API key created",
  "api-key.rerolled": "API key re-rolled",
  "organization.created": "Organization created",
  "member.added": "Member added",
  "invitation.created": "Invitation sent",
  "delivery.read": "Email read by an admin",
};

/** Describes an audit action in words: its own text, otherwise the two parts of its name. */
export const actionText = (action: string): string => {
  if (Object.hasOwn(texts, action)) return texts[action] ?? action;
  const words = action.replaceAll(/[.-]+/g, " ").trim();
  return words ? words[0]?.toUpperCase() + words.slice(1) : "–";
};
