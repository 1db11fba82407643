import type { Side, Subject, View } from "../check-model.ts";
import type { ModelSystem } from "../system.ts";
import { type Somebody, signUpAt, staySignedIn } from "../users.ts";
import type { InvitationCall } from "./calls.ts";
import { openDriver } from "./driver.ts";
import { founders, userNames, picked, type Picked } from "./picked.ts";
import {
  type InvitationsState,
  isPending,
  type Member,
  memberOf,
  type Organization,
  shownInvitation,
} from "./state.ts";
import { invitationsTruth } from "./truth.ts";

const inOrder = <T>(record: Readonly<Record<string, T>>) =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const viewOrganization = (
  state: InvitationsState,
  name: string,
  { members, teams }: Organization,
  viewer: Member,
) => ({
  members: inOrder(members),
  teams: teams.toSorted(),
  invitations: Object.entries(state.invitations)
    .filter(([, { organization }]) => organization === name)
    .map(([id, { person, inviter, role, team, status }]) => {
      const isHidden = viewer.role === "member" && status === "pending";
      return shownInvitation(isHidden ? "hidden" : id, { person, inviter, role, team, status });
    })
    .toSorted(),
});

/** Each user sees an organization whole or not at all, and the invitations that they may answer. */
const view = (state: InvitationsState): View => ({
  now: userNames.map((person) => ({
    organizations: Object.keys(founders).map((name) => {
      const viewer = memberOf(state, name, person);
      const organization = state.organizations[name];
      return viewer && organization ? viewOrganization(state, name, organization, viewer) : null;
    }),
    offered: Object.entries(state.invitations)
      .flatMap(([name, one]) => (one.person === person && isPending(state, one) ? [name] : []))
      .toSorted(),
  })),
  soon: userNames.map(() => "works where they are a member, or nowhere"),
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

const open = async (system: ModelSystem): Promise<Side<Picked, InvitationCall>> => {
  const somebody = new Map<string, Somebody>();
  for (const person of userNames) somebody.set(person, await signUpAt(system));
  return {
    ...(await openDriver(system, somebody)),
    stay: async () => {
      for (const one of somebody.values()) await staySignedIn(system, one);
    },
  };
};

/** Invitations and memberships, with roles and teams. */
export const invitations: Subject<InvitationsState, Picked, InvitationCall> = {
  name: "invitations and memberships",
  truth: invitationsTruth,
  start,
  picked,
  atOnceMax: 4,
  view,
  open,
};
