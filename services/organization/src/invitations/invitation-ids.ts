import type { KeyObject } from "node:crypto";
import { constantTimeEqual, hmacSha256, type SecretRing } from "@latchkey/crypto";
import { allows } from "../roles/role-rules.ts";
import type { OrganizationConfig } from "../config.ts";
import type { MemberRow } from "../members/queries.ts";
import type { InvitationRow } from "./queries.ts";

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
export const isMailedId = (ring: SecretRing, given: string, invitation: Identified): boolean =>
  proofsOf(ring, invitation).some((proof) => constantTimeEqual(given, invitation.id + proof));

/** Returns the row ids that a given id may stand for. */
export const rowIdsOf = (given: string): string[] => [given, given.slice(0, -proofLength)];

const opaqueIdOf = (ring: SecretRing, id: string): string => {
  const [key] = ring.derive("opaque invitation");
  return macOf(key, id);
};

/**
 * Returns the id under which a member of the organization sees an invitation. Once it is decided, its mailed id opens nothing and is shown
 * to every member.
 */
export const idForMember = (
  { config, ring }: { config: Pick<OrganizationConfig, "organization">; ring: SecretRing },
  { userId, role }: Pick<MemberRow, "role" | "userId">,
  invitation: Identified & Pick<InvitationRow, "inviterId" | "status">,
): string => {
  if (invitation.status !== "pending") return mailedIdOf(ring, invitation);
  const mayManage = ["create", "cancel"].some((action) =>
    allows(config.organization, role, ["invitation", action]),
  );
  if (!mayManage) return opaqueIdOf(ring, invitation.id);
  return invitation.inviterId === userId ? mailedIdOf(ring, invitation) : invitation.id;
};
