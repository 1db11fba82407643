import type { Side, Subject, View } from "../check-model.ts";
import type { House } from "../house.ts";
import { type Somebody, signUp, staySignedIn } from "../people.ts";
import type { InvitationCall } from "./calls.ts";
import { openDesk } from "./desk.ts";
import { founders, people, picked, type Picked } from "./picked.ts";
import { type InvitationsState, isPending, memberOf, type Organization } from "./state.ts";
import { invitationsTruth } from "./truth.ts";

const inOrder = <T>(record: Readonly<Record<string, T>>) =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const viewOrganization = (
  state: InvitationsState,
  name: string,
  { members, teams }: Organization,
) => ({
  members: inOrder(members),
  teams: teams.toSorted(),
  invitations: inOrder(
    Object.fromEntries(
      Object.entries(state.invitations).flatMap(
        ([id, { organization, person, inviter, role, team, status }]) =>
          organization === name ? [[id, { person, inviter, role, team, status }]] : [],
      ),
    ),
  ),
});

/** What each person sees: of every organization all or nothing, and which invitations they may answer. */
const view = (state: InvitationsState): View => ({
  now: people.map((person) => ({
    organizations: Object.keys(founders).map((name) => {
      const organization = memberOf(state, name, person) && state.organizations[name];
      return organization ? viewOrganization(state, name, organization) : null;
    }),
    offered: Object.entries(state.invitations)
      .flatMap(([name, one]) => (one.person === person && isPending(state, one) ? [name] : []))
      .toSorted(),
  })),
  soon: people.map(() => "works where they are a member, or nowhere"),
});

const start = (): InvitationsState => ({
  now: 0,
  organizations: Object.fromEntries(
    Object.entries(founders).map(([name, person]) => [
      name,
      { members: { [`founder of ${name}`]: { person, role: "owner", team: null } }, teams: [] },
    ]),
  ),
  invitations: {},
  issued: [],
});

const open = async (house: House): Promise<Side<Picked, InvitationCall>> => {
  const somebody = new Map<string, Somebody>();
  for (const person of people) somebody.set(person, await signUp(house));
  return {
    ...(await openDesk(house, somebody)),
    stay: async () => {
      for (const one of somebody.values()) await staySignedIn(house, one);
    },
  };
};

/** Who is invited, who is a member, and in which role and team. */
export const invitations: Subject<InvitationsState, Picked, InvitationCall> = {
  name: "invitations and memberships",
  truth: invitationsTruth,
  start,
  picked,
  atOnceMax: 4,
  view,
  open,
};
