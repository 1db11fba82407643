import type { OperationReply, operations, Wire } from "@latchkey/contracts";
import { sendRequest } from "../send-request.ts";
import type { View } from "../check-model.ts";
import type { ModelSystem } from "../system.ts";
import type { Ids } from "./ids.ts";
import { founders } from "./picked.ts";
import { shownInvitation } from "./state.ts";

type Shown<Name extends keyof typeof operations.organization> = Wire<
  OperationReply<(typeof operations.organization)[Name]>
>;
type Full = NonNullable<Shown<"getFullOrganization">>;

const inOrder = <T>(entries: readonly (readonly [string, T])[]) =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

const teamName = ({ teams }: Ids, id: string | null | undefined) => (id ? teams.nameOf(id) : null);

const readOrganization = (ids: Ids, { members, teams, invitations }: Full) => ({
  members: inOrder(
    members.map(({ id, userId, role, teamId }) => [
      ids.members.nameOf(id),
      { person: ids.persons.nameOf(userId), role, team: teamName(ids, teamId) },
    ]),
  ),
  teams: (teams ?? []).map(({ id }) => ids.teams.nameOf(id)).toSorted(),
  invitations: invitations
    .map(({ id, email, inviterId, role, status, teamId }) =>
      shownInvitation(ids.invitations.isKnown(id) ? ids.invitations.nameOf(id) : "hidden", {
        person: ids.personOf(email),
        inviter: ids.persons.nameOf(inviterId),
        role,
        team: teamName(ids, teamId),
        status,
      }),
    )
    .toSorted(),
});

/** Whether a user's session works in an organization without a membership. */
const readPlace = (
  ids: Ids,
  active: string | null | undefined,
  organizations: readonly (object | null)[],
): string => {
  const places = Object.keys(founders).filter((_name, index) => organizations[index] !== null);
  const isRight = !active || places.includes(ids.organizations.nameOf(active));
  return isRight ? "works where they are a member, or nowhere" : "works elsewhere";
};

interface Looking {
  person: string;
  replica: number;
}

/** Reads what users see. */
export const createWindow = (system: ModelSystem, ids: Ids) => {
  const lookAs = async ({ person, replica }: Looking) => {
    const base = system.gateways[replica];
    const cookie = ids.cookieOf(person);
    const organizations = [];
    for (const name of Object.keys(founders)) {
      const query = `organizationId=${ids.organizations.idOf(name)}`;
      const url = `${base}/organization/get-full-organization?${query}`;
      const { said, body } = await sendRequest<Full>(url, cookie);
      if (said !== "200" && said !== "403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION")
        throw new Error(`looking at ${name}: ${said}`);
      organizations.push(said === "200" ? readOrganization(ids, body) : null);
    }
    const offers = `${base}/organization/list-user-invitations`;
    const { body: offered } = await sendRequest<Shown<"listUserInvitations">>(offers, cookie);
    const now = {
      organizations,
      offered: offered.map(({ id }) => ids.invitations.nameOf(id)).toSorted(),
    };
    const { body: current } = await sendRequest<{
      session: { activeOrganizationId: string | null };
    }>(`${base}/get-session?disableCookieCache=true`, cookie);
    return { now, soon: readPlace(ids, current.session.activeOrganizationId, organizations) };
  };
  return {
    look: async (looking: readonly Looking[]): Promise<View> => {
      const seen = await Promise.all(looking.map(lookAs));
      return { now: seen.map(({ now }) => now), soon: seen.map(({ soon }) => soon) };
    },
  };
};
