export type Role = "admin" | "member" | "owner";

export interface Member {
  person: string;
  role: Role;
  team: string | null;
}

export interface Invitation {
  organization: string;
  person: string;
  inviter: string;
  role: Role;
  team: string | null;
  status: "accepted" | "canceled" | "pending" | "rejected";
  expiresAt: number;
  mailedAt: number;
}

export interface Organization {
  /** By the name of the membership: who comes again is another member. */
  members: Record<string, Member>;
  teams: string[];
}

export interface InvitationsState {
  now: number;
  organizations: Record<string, Organization>;
  invitations: Record<string, Invitation>;
  /** What one person sent to another, and when. */
  issued: { inviter: string; person: string; at: number }[];
}

/** What the house allows, as it is configured. */
export const limits = { members: 4, invitations: 3, team: 1, toOneAddress: 5 };

export const memberOf = (
  { organizations }: InvitationsState,
  organization: string,
  person: string,
): Member | undefined =>
  Object.values(organizations[organization]?.members ?? {}).find((one) => one.person === person);

export const isPending = ({ now }: InvitationsState, { status, expiresAt }: Invitation): boolean =>
  status === "pending" && expiresAt > now;

/** Whether a team has as many members as it may. */
export const isFull = ({ members }: Organization, team: string): boolean =>
  Object.values(members).filter((one) => one.team === team).length >= limits.team;

/** Whether the only owner of an organization would go. */
export const isLastOwner = ({ members }: Organization, member: Member): boolean =>
  member.role === "owner" &&
  !Object.values(members).some((one) => one !== member && one.role === "owner");

/** Ends a membership; the owners whom they invited are not awaited any more. */
export const endMembership = (state: InvitationsState, organization: string, member: Member) => {
  const { members = {} } = state.organizations[organization] ?? {};
  for (const [name, one] of Object.entries(members)) if (one === member) delete members[name];
  cancelOwners(state, organization, member.person);
};

/** Cancels the pending invitations to be an owner that somebody sent. */
export const cancelOwners = (
  { invitations }: InvitationsState,
  organization: string,
  inviter: string,
): void => {
  for (const one of Object.values(invitations))
    if (
      one.organization === organization &&
      one.inviter === inviter &&
      one.role === "owner" &&
      one.status === "pending"
    )
      one.status = "canceled";
};
