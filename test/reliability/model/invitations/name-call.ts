import type { InvitationCall } from "./calls.ts";
import type { Ids } from "./ids.ts";
import type { Picked } from "./picked.ts";

/** Results of a run that later calls choose from. */
export interface Known {
  ids: Ids;
  /** Recipient of each invitation. */
  recipients: ReadonlyMap<string, string>;
}

const nameAnswer = ({ ids, recipients }: Known, one: Picked, id: number) => {
  const invitation = ids.invitations.last(one.which);
  if (invitation === undefined) return undefined;
  const recipient = recipients.get(invitation) ?? one.by;
  const by = one.isApt ? recipient : one.by;
  return one.kind === "accept"
    ? { kind: one.kind, invitation, member: `m${id}`, by }
    : { kind: "reject" as const, invitation, by };
};

const nameTeamRemoval = ({ ids }: Known, { by, organization, which }: Picked) => {
  const team = ids.teams.last(which);
  return team === undefined ? undefined : { kind: "remove-team" as const, by, organization, team };
};

/** Replaces random picks of a call by names. Undefined if there is nothing to name. */
export const nameCall = (known: Known, one: Picked, id: number): InvitationCall | undefined => {
  const { ids } = known;
  const { kind, by, organization, person, role, resend, which } = one;
  const team = one.hasTeam ? (ids.teams.last(which) ?? null) : null;
  const invitation = ids.invitations.last(which);
  const member = ids.members.last(which);
  switch (kind) {
    case "invite":
      return { kind, by, organization, person, role, team, resend, invitation: `i${id}` };
    case "add":
      return { kind, organization, person, role, team, member: `m${id}` };
    case "create-team":
      return { kind, by, organization, team: `t${id}` };
    case "remove-team":
      return nameTeamRemoval(known, one);
    case "accept":
    case "reject":
      return nameAnswer(known, one, id);
    case "cancel":
    case "send-again":
      return invitation === undefined ? undefined : { kind, by, invitation };
    case "give-role":
      return member === undefined ? undefined : { kind, by, organization, member, role };
    case "remove":
      return { kind, by, organization, person };
    default:
      return { kind, by, organization };
  }
};
