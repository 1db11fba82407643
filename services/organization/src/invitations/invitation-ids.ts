import type { KeyObject } from "node:crypto";
import type { Invitation } from "@latchkey/contracts";
import { constantTimeEqual, hmacSha256, type SecretRing } from "@latchkey/crypto";
import { namesOf, picker, withoutColumns } from "@latchkey/service-kit/database";
import { invitationColumns } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { MemberRow } from "../rows/members.ts";
import { allows, type RoleRules } from "../roles/role-rules.ts";
import { type InvitationRow, listInvitationsByIds, teamIdsOf } from "../rows/invitations.ts";

// An invitation has three ids (ADR 43). The row's id manages it and proves nothing. The mailed id is the row's id with a proof that only
// the mail and the inviter hold. Members who may not manage invitations see pending ones under an opaque id, which finds nothing.

/** 128 bits in hexadecimal. */
const proofLength = 32;

type Identified = Pick<InvitationRow, "email" | "id">;

const macOf = (key: KeyObject, message: string): string =>
  hmacSha256(key, message, "hex").slice(0, proofLength);

const proofsOf = (ring: SecretRing, { id, email }: Identified): string[] =>
  ring.derive("mailed invitation").map((key) => macOf(key, JSON.stringify([id, email])));

/** Returns the id that the mail carries. It is computed and never stored, so that a dump holds no proof of an address. */
export const mailedIdOf = (ring: SecretRing, invitation: Identified): string =>
  invitation.id + (proofsOf(ring, invitation)[0] ?? "");

/** Returns whether an id is the mailed id of an invitation, under any secret that still verifies. */
const isMailedId = (ring: SecretRing, given: string, invitation: Identified): boolean =>
  proofsOf(ring, invitation).some((proof) => constantTimeEqual(given, invitation.id + proof));

/** Returns the row ids that a given id may stand for. */
const rowIdsOf = (given: string): string[] => [given, given.slice(0, -proofLength)];

const opaqueIdOf = (ring: SecretRing, id: string): string => {
  const [key] = ring.derive("opaque invitation");
  return macOf(key, id);
};

/** A member who reads invitations. */
export type Reader = Pick<MemberRow, "role" | "userId"> & { rules: RoleRules };

/**
 * Returns the id under which a member of the organization sees an invitation. Once it is decided, its mailed id opens nothing and is shown
 * to every member.
 */
export const idForMember = (
  { ring }: { ring: SecretRing },
  { userId, role, rules }: Reader,
  invitation: Identified & Pick<InvitationRow, "inviterId" | "status">,
): string => {
  if (invitation.status !== "pending") return mailedIdOf(ring, invitation);
  const mayManage = ["create", "cancel"].some((action) =>
    allows(rules, role, ["invitation", action]),
  );
  if (!mayManage) return opaqueIdOf(ring, invitation.id);
  return invitation.inviterId === userId ? mailedIdOf(ring, invitation) : invitation.id;
};

type Needs = Pick<Deps, "db" | "ring">;

/** An invitation that a client named. */
export interface GivenInvitation {
  invitation: InvitationRow;
  /** Whether the client named it by the id from its mail. */
  isMailed: boolean;
}

/** Finds the invitation that a client names by the row's id or by the id from its mail. */
export const findGivenInvitation = async (
  { db, ring }: Needs,
  given: string,
): Promise<GivenInvitation | undefined> => {
  const rows = await listInvitationsByIds(db, rowIdsOf(given));
  const mailed = rows.find((row) => isMailedId(ring, given, row));
  const invitation = mailed ?? rows.find(({ id }) => id === given);
  return invitation && { invitation, isMailed: mailed !== undefined };
};

/** Finds the invitation that a client names if it may still be accepted. */
export const findGivenPending = async (
  deps: Needs & Pick<Deps, "clock">,
  given: string,
): Promise<GivenInvitation | undefined> => {
  const invited = await findGivenInvitation(deps, given);
  const isPending =
    invited?.invitation.status === "pending" &&
    invited.invitation.expiresAt.getTime() > deps.clock();
  return isPending ? invited : undefined;
};

const pickWithTeam = picker<Invitation>(
  namesOf(withoutColumns(invitationColumns, "createdAt", "extra", "moreTeamIds")),
);
const pickWithoutTeam = picker<Invitation>(
  namesOf(withoutColumns(invitationColumns, "createdAt", "extra", "moreTeamIds", "teamId")),
);

/** Returns an invitation for replies, under the id that the reader may know. Includes the teams only if teams are enabled. */
export const showInvitation = (
  { config: { organization }, fields }: Pick<Deps, "config" | "fields">,
  row: InvitationRow,
  id: string,
): Invitation => {
  const invitation = organization.teams.enabled ? pickWithTeam(row) : pickWithoutTeam(row);
  invitation.id = id;
  if (organization.teams.enabled) invitation.teamId = teamIdsOf(row).join(",") || null;
  return fields.invitation.addTo(invitation, row.extra);
};

/** Returns an invitation for its recipient or its inviter, under the mailed id. */
export const showMailedInvitation = (
  deps: Pick<Deps, "config" | "fields" | "ring">,
  invitation: InvitationRow,
): Invitation => showInvitation(deps, invitation, mailedIdOf(deps.ring, invitation));
