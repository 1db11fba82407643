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
  /** By the name of the membership: a returning user is another member. */
  members: Record<string, Member>;
  teams: string[];
}

export interface InvitationsState {
  now: number;
  organizations: Record<string, Organization>;
  invitations: Record<string, Invitation>;
  /** Invitations between users, with their times. */
  issued: { inviter: string; person: string; at: number }[];
}

/** The steps of a call: checks without a lock, then the change or its rejection. */
export interface Rule<Call> {
  look(state: InvitationsState, call: Call): string | undefined;
  act(state: InvitationsState, call: Call): string;
}

/** The limits of the system, as configured. */
export const limits = { members: 4, invitations: 3, team: 1, toOneAddress: 5 };

export const memberOf = (
  { organizations }: InvitationsState,
  organization: string,
  person: string,
): Member | undefined =>
  Object.values(organizations[organization]?.members ?? {}).find((one) => one.person === person);

export const isPending = ({ now }: InvitationsState, { status, expiresAt }: Invitation): boolean =>
  status === "pending" && expiresAt > now;

/** Whether a team has reached its member limit. */
export const isFull = ({ members }: Organization, team: string): boolean =>
  Object.values(members).filter((one) => one.team === team).length >= limits.team;

/** Whether removing the member would leave an organization without an owner. */
export const isLastOwner = ({ members }: Organization, member: Member): boolean =>
  member.role === "owner" &&
  !Object.values(members).some((one) => one !== member && one.role === "owner");

/** An invitation as a member sees it. Its name is "hidden" if the id is unknown. */
export const shownInvitation = (
  name: string,
  invitation: Pick<Invitation, "inviter" | "person" | "status" | "team"> & { role: string },
): string => JSON.stringify([name, Object.entries(invitation).toSorted()]);

/** Ends a membership, and the member's pending invitations. */
export const removeMemberBy = (state: InvitationsState, organization: string, member: Member) => {
  const { members = {} } = state.organizations[organization] ?? {};
  for (const [name, one] of Object.entries(members)) if (one === member) delete members[name];
  cancelVoid(state, organization, { person: member.person, role: "member" });
};

/** Cancels the pending invitations that a member with this role may no longer send. */
export const cancelVoid = (
  { invitations }: InvitationsState,
  organization: string,
  { person, role }: Pick<Member, "person" | "role">,
): void => {
  for (const one of Object.values(invitations))
    if (
      one.organization === organization &&
      one.inviter === person &&
      (role === "member" || (role === "admin" && one.role === "owner")) &&
      one.status === "pending"
    )
      one.status = "canceled";
};
