import {
  type Caller,
  chooseMailLocale,
  defaultInvitationURL,
  type UserSummary,
  WireError,
} from "@latchkey/contracts";
import { seal, type SecretRing } from "@latchkey/crypto";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import { applicationUrl, encodeQueryValue } from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { isVoid } from "./check-inviter.ts";
import { mailedIdOf } from "./invitation-ids.ts";
import { findMailedAt, type InvitationRow, prolongInvitation } from "../rows/invitations.ts";

/** Fills in the configured template of an invitation's link. Each value is encoded, so that it cannot change the URL around it. */
export const invitationLink = (
  template: string,
  { id, email, proof = "" }: Pick<InvitationRow, "email" | "id"> & { proof?: string },
  { baseUrl, application }: { baseUrl: string; application: string | undefined },
): string => {
  const { origin } = new URL(baseUrl);
  return template
    .replaceAll("{app}", (application ?? origin).replace(/\/$/, ""))
    .replaceAll("{origin}", origin)
    .replaceAll("{id}", encodeQueryValue(id))
    .replaceAll("{proof}", encodeQueryValue(proof))
    .replaceAll("{email}", encodeQueryValue(email));
};

/**
 * Returns the proof that its holder reads the mailbox of the invited address, with which identity registers it as verified. Unlike the mailed
 * id, the inviter never learns it (ADR 43).
 */
const proofOf = (ring: SecretRing, { email, expiresAt }: InvitationRow): string =>
  seal(ring, { purpose: "invited address", subject: email }, String(expiresAt.getTime()));

/** The page of the account web takes the proof. The page of an application may not expect it. */
const templateFor = (template: string, application: string | undefined): string =>
  application === undefined && template === defaultInvitationURL
    ? `${template}?proof={proof}`
    : template;

export type MailInvitationNeeds = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

/** The inviter as the mail names them. */
type Inviter = Pick<UserSummary, "email" | "id" | "name">;

/** Requests the mail of an invitation when the transaction commits, unless the application sends its own. */
export const mailInvitation = async (
  deps: MailInvitationNeeds,
  trx: Transaction<Tables>,
  about: {
    invitation: InvitationRow;
    organizationName: string;
    inviter: Inviter;
    caller: Caller;
  },
): Promise<void> => {
  const { sendInvitationMail, acceptInvitationURL } = deps.config.organization;
  if (!sendInvitationMail) return;
  const { invitation, organizationName, inviter, caller } = about;
  const application = applicationUrl(deps.config.appURL, caller);
  await appendEvent(trx, deps, {
    name: "invitation.sent",
    data: {
      invitationId: invitation.id,
      email: invitation.email,
      organizationName,
      inviterId: inviter.id,
      inviterName: inviter.name,
      inviterEmail: inviter.email,
      url: invitationLink(
        templateFor(acceptInvitationURL, application),
        {
          id: mailedIdOf(deps.ring, invitation),
          email: invitation.email,
          proof: proofOf(deps.ring, invitation),
        },
        { baseUrl: caller.baseUrl, application },
      ),
      expiresAt: invitation.expiresAt.toISOString(),
      // The invited person may have no user yet. The language of the inviter is the best guess.
      ...chooseMailLocale(undefined, caller),
    },
  });
};

/** The minimum pause between two mails of one invitation. */
const pauseMilliseconds = 60_000;

/** Restarts the lifetime of an invitation. */
const prolong = async (
  { clock, config }: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  id: string,
): Promise<InvitationRow> => {
  const time = clock();
  const now = new Date(time);
  const invitation = await prolongInvitation(trx, {
    id,
    expiresAt: new Date(time + config.organization.invitationExpiresIn * 1000),
    mailedBefore: new Date(time - pauseMilliseconds),
    now,
  });
  if (invitation) return invitation;
  const mailedAt = await findMailedAt(trx, { id, now });
  if (!mailedAt) throw new WireError("INVITATION_NOT_FOUND");
  const waitMilliseconds = mailedAt.getTime() + pauseMilliseconds - time;
  throw new WireError("TOO_MANY_REQUESTS", {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMilliseconds / 1000)),
  });
};

/**
 * Mails a pending invitation again and restarts its lifetime, in a transaction that has locked its organization. Throws
 * `INVITATION_NOT_FOUND` if it is not pending or its inviter may no longer invite to its roles. Throws `TOO_MANY_REQUESTS` if its mail was
 * requested within the last minute.
 */
export const mailAgain = async (
  deps: MailInvitationNeeds,
  trx: Transaction<Tables>,
  {
    id,
    organization,
    inviter,
    actor,
    caller,
  }: {
    id: string;
    organization: { id: string; name: string };
    inviter: Inviter;
  } & Required<Pick<AuditEntry, "actor" | "caller">>,
): Promise<InvitationRow> => {
  const invitation = await prolong(deps, trx, id);
  if (await isVoid(deps, trx, invitation)) throw new WireError("INVITATION_NOT_FOUND");
  await mailInvitation(deps, trx, {
    invitation,
    organizationName: organization.name,
    inviter,
    caller,
  });
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organization.id },
    action: "invitation.resent",
    caller,
    after: { id, expiresAt: invitation.expiresAt },
  });
  return invitation;
};
